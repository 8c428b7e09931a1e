/* Data-parallel regression with MPI that may be stopped and resized at any time. */
#include <math.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { INPUTS = 16, BATCH = 256 }; /* of each rank */

static const double RATE = 0.02;
static volatile sig_atomic_t stop_wanted = 0;

static void on_stop(int signal) {
  (void)signal;
  stop_wanted = 1;
}

/* What is saved: the weights and how far it is. */
struct state {
  long samples;
  long iteration;
  double weights[INPUTS];
};

/* A number of a sample: the same whoever asks, so the order does not depend on the ranks. */
static double input(long sample, int i) {
  double x = sin(sample * 12.9898 + i * 78.233) * 43758.5453;
  return x - floor(x) - 0.5;
}

static void must(int ok, const char *what) {
  if (!ok) {
    perror(what);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return now.tv_sec + now.tv_nsec / 1e9;
}

/* Aside, on the disk, then renamed: there is a whole checkpoint at any moment. */
static void save(const char *path, const struct state *state) {
  char aside[4096];
  snprintf(aside, sizeof aside, "%s.new", path);
  FILE *file = fopen(aside, "wb");
  must(file && fwrite(state, sizeof *state, 1, file) == 1 && fflush(file) == 0 &&
           fsync(fileno(file)) == 0 && fclose(file) == 0 && rename(aside, path) == 0,
       path);
}

static void report(const struct state *state, long all, double loss, int ranks) {
  const char *path = getenv("RINGMASTER_PROGRESS");
  FILE *file = path ? fopen(path, "a") : NULL;
  if (file) {
    fprintf(file, "{\"at_s\": %.3f, \"done\": %.6f, \"iteration\": %ld, \"samples\": %ld, ", seconds(),
            fmin(1, (double)state->samples / all), state->iteration, state->samples);
    if (loss >= 0) {
      fprintf(file, "\"loss\": %.6f, ", loss);
    }
    fprintf(file, "\"workers\": %d}\n", ranks);
    fclose(file);
  }
}

/* Gradient, loss and the wish to stop are one vector: all ranks stop after the same step. */
static void add_up(const struct state *state, int rank, double *sums) {
  double own[INPUTS + 2] = {0};
  for (long n = state->samples + (long)rank * BATCH, end = n + BATCH; n < end; n++) {
    double error = 0;
    for (int i = 0; i < INPUTS; i++) {
      error += (state->weights[i] - (i + 1)) * input(n, i);
    }
    for (int i = 0; i < INPUTS; i++) {
      own[i] += error * input(n, i);
    }
    own[INPUTS] += error * error / 2;
  }
  own[INPUTS + 1] = stop_wanted;
  MPI_Allreduce(own, sums, INPUTS + 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

int main(int count, char **arguments) {
  int rank, ranks, stopped = 0;
  signal(SIGUSR1, on_stop);
  MPI_Init(&count, &arguments);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const char *wanted = getenv("SAMPLES");
  long all = wanted ? atol(wanted) : 500000;
  const char *folder = getenv("RINGMASTER_CHECKPOINT_DIR");
  const char *scale = getenv("RINGMASTER_LEARNING_RATE_SCALE");
  const char *pace = getenv("PACE_MS");
  useconds_t pace_us = pace ? 1000 * atoi(pace) : 0;
  double rate = RATE * (scale ? atof(scale) : ranks);
  char path[4000];
  snprintf(path, sizeof path, "%s/model", folder ? folder : ".");

  struct state state = {0};
  FILE *saved = rank == 0 ? fopen(path, "rb") : NULL;
  if (saved) {
    must(fread(&state, sizeof state, 1, saved) == 1, path);
    fclose(saved);
  }
  MPI_Bcast(&state, sizeof state, MPI_BYTE, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    printf("%s at sample %ld, ranks %d\n", state.samples ? "goes on" : "begins", state.samples, ranks);
    fflush(stdout);
    report(&state, all, -1, ranks);
  }
  double loss = -1, spoke = seconds(), sums[INPUTS + 2];
  while (state.samples < all && !stopped) {
    usleep(pace_us); /* as if a device computed */
    add_up(&state, rank, sums);
    for (int i = 0; i < INPUTS; i++) {
      state.weights[i] -= rate * sums[i] / (BATCH * ranks);
    }
    state.samples += (long)BATCH * ranks;
    state.iteration++;
    loss = sums[INPUTS] / (BATCH * ranks);
    stopped = sums[INPUTS + 1] > 0;
    if (rank == 0 && seconds() - spoke > 0.5) {
      spoke = seconds();
      printf("iteration %ld, loss %g, ranks %d\n", state.iteration, loss, ranks);
      fflush(stdout);
      report(&state, all, loss, ranks);
      save(path, &state);
    }
  }
  if (rank == 0) {
    save(path, &state);
    report(&state, all, loss, ranks);
    printf("%s at sample %ld, loss %g\n", state.samples < all ? "stopped" : "done", state.samples, loss);
  }
  MPI_Finalize();
  return state.samples < all ? 143 : 0; /* 0 says that the whole job is done */
}
