package io.ringmaster.control.job;

import java.util.List;

/**
 * What follows from an event.
 *
 * @param job the job afterwards; the very same object if nothing is to be stored
 * @param effects to be carried out after the job is stored
 */
public record Step(Job job, List<Effect> effects) {
  public Step {
    effects = List.copyOf(effects);
  }
}
