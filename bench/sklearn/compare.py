#!/usr/bin/python3
"""Our random forest beside scikit-learn's, on the same rows.

    apt-get install python3-sklearn
    ./ringmaster predict JOBS --out DIR
    /usr/bin/python3 bench/sklearn/compare.py DIR

Reads train.csv and test.csv of DIR, grows RandomForestRegressor(n_estimators=100,
min_samples_leaf=2) on log(1 + length) with one thread, and prints its errors and CPU time beside
those of predict.json and run.json. Ours is the CPU time of the whole process while the forest
grew: of all threads, the compiler's and the garbage collector's included. Run by hand.
"""

import json
import os
import sys
import time

import numpy as np
from sklearn.ensemble import RandomForestRegressor


def read(path):
    with open(path) as file:
        file.readline()
        table = np.genfromtxt(file, delimiter=",", filling_values=np.nan, ndmin=2)
    return table[:, :-1], table[:, -1]


def main():
    folder = sys.argv[1]
    trees = 100
    x, y = read(os.path.join(folder, "train.csv"))
    x_test, y_test = read(os.path.join(folder, "test.csv"))
    # scikit-learn 1.2 knows no missing values: below everything, as in our forest.
    x, x_test = (np.where(np.isnan(a), -1e6, a) for a in (x, x_test))

    forest = RandomForestRegressor(
        n_estimators=trees, min_samples_leaf=2, n_jobs=1, random_state=1
    )
    began = time.process_time()
    forest.fit(x, np.log1p(y))
    cpu = time.process_time() - began

    predicted = np.maximum(1, np.expm1(forest.predict(x_test)))
    ratio = np.abs(np.log(predicted / y_test))
    logs = np.log(y_test)
    theirs = {
        "nodes": sum(tree.tree_.node_count for tree in forest.estimators_),
        "train_cpu_s": cpu,
        "mean_absolute": np.mean(np.abs(predicted - y_test)),
        "median_relative": np.median(np.abs(predicted - y_test) / y_test),
        "mean_log_ratio": np.mean(ratio),
        "log_r2": 1 - np.sum(ratio**2) / np.sum((logs - np.mean(logs)) ** 2),
        "within_twofold": np.mean(ratio <= np.log(2)),
    }
    with open(os.path.join(folder, "predict.json")) as file:
        document = json.load(file)
    with open(os.path.join(folder, "run.json")) as file:
        run = json.load(file)
    ours = {**document, **run, **document["methods"]["forest"]}
    print(f"{len(y)} jobs learnt from, {len(y_test)} predicted, {trees} trees")
    print(f"{'':16} {'ours':>14} {'scikit-learn':>14} {'ours / its':>10}")
    for name, value in theirs.items():
        print(f"{name:16} {ours[name]:14.4f} {value:14.4f} {ours[name] / value:10.3f}")


if __name__ == "__main__":
    main()
