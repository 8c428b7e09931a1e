package io.ringmaster.advise;

import java.util.Locale;
import java.util.Optional;

/**
 * The policy by which a site serves its queue.
 *
 * @param basis how that is known; a few words
 */
public record SitePolicy(String name, String basis) {

  /**
   * What was asked for, else what the site says of itself, else what its past tells.
   *
   * @param asked by whoever wants an answer
   * @param said by the site
   */
  public static SitePolicy of(Queue queue, Optional<String> asked, Optional<String> said) {
    if (asked.isPresent()) {
      return new SitePolicy(asked.get(), "policy %s, as asked".formatted(asked.get()));
    }
    if (said.isPresent()) {
      return new SitePolicy(
          said.get(), "policy %s, as the site's settings have it".formatted(said.get()));
    }
    double overtaken = InOrder.overtakenShare(queue.ended());
    String likely = InOrder.likely(queue.ended());
    return new SitePolicy(
        likely,
        Double.isNaN(overtaken)
            ? "policy %s, which most sites have: too few jobs waited to tell".formatted(likely)
            : String.format(
                Locale.ROOT,
                "policy %s: of the jobs that waited %.0f %% were overtaken",
                likely,
                100 * overtaken));
  }
}
