package io.ringmaster.control.plane;

import io.ringmaster.control.job.Job;
import java.util.List;

/**
 * Why a job is where it is, and what comes next.
 *
 * @param why sentences, the most important first
 * @param ahead how many waiting jobs the policy is expected to start before it
 * @param startSeconds predicted start, seconds since 1970; NaN: it has started, or cannot tell
 * @param endSeconds predicted end; NaN: it has ended, or cannot tell
 * @param asOfSeconds when the queue stood as the prediction takes it to stand; NaN: there is no
 *     prediction
 * @param basis on what the prediction rests, in words
 */
public record Explanation(
    Job job,
    List<String> why,
    int ahead,
    double startSeconds,
    double endSeconds,
    double asOfSeconds,
    String basis) {}
