#!/usr/bin/python3
"""Grows scikit-learn's random forest on the rows that `ringmaster predict --export DIR` wrote.

    apt-get install python3-sklearn
    ./ringmaster predict JOBS --export DIR --json > DIR/ours.json
    /usr/bin/python3 bench/sklearn/compare.py DIR

Same rows, same labels, same test, one thread. Prints one JSON document: errors as `predict`
counts them, and the CPU time of growing the forest.
"""

import json
import os
import sys
import time

import numpy as np
from sklearn.ensemble import RandomForestRegressor


def read(path):
    with open(path) as file:
        names = file.readline().strip().split(",")
        table = np.genfromtxt(file, delimiter=",", filling_values=np.nan, ndmin=2)
    return names, table[:, :-1], table[:, -1]


def main():
    folder = sys.argv[1]
    trees = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    names, x, y = read(os.path.join(folder, "train.csv"))
    _, x_test, y_test = read(os.path.join(folder, "test.csv"))
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
    json.dump(
        {
            "features": names[:-1],
            "trained_on": len(y),
            "tested_on": len(y_test),
            "trees": trees,
            "nodes": int(sum(tree.tree_.node_count for tree in forest.estimators_)),
            "train_cpu_s": round(cpu, 3),
            "mean_absolute": float(np.mean(np.abs(predicted - y_test))),
            "median_relative": float(np.median(np.abs(predicted - y_test) / y_test)),
            "mean_log_ratio": float(np.mean(ratio)),
            "log_r2": float(1 - np.sum(ratio**2) / np.sum((logs - np.mean(logs)) ** 2)),
            "within_twofold": float(np.mean(ratio <= np.log(2))),
        },
        sys.stdout,
        indent=2,
    )
    print()


if __name__ == "__main__":
    main()
