package io.ringmaster.control.plane;

import io.ringmaster.control.engine.Engine;
import io.ringmaster.control.store.Store;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has people told why their jobs wait where they gave them, in the words of {@link Explainer}. */
public final class ArrivalNotices {
  private static final Logger LOG = LoggerFactory.getLogger(ArrivalNotices.class);

  private final Store store;
  private final Supplier<Optional<Engine>> engine;
  private final Explainer explainer;

  /**
   * Tells nobody yet.
   *
   * @param engine empty while another server leads
   */
  public ArrivalNotices(Store store, Supplier<Optional<Engine>> engine, Explainer explainer) {
    this.store = store;
    this.engine = engine;
    this.explainer = explainer;
  }

  /** Tells those whom the engine wants told now. What fails is tried again the next time. */
  public void tell() {
    try {
      Engine present = engine.get().orElse(null);
      List<String> wanted = present == null ? List.of() : present.unexplained();
      if (present == null || wanted.isEmpty()) {
        return;
      }
      Map<String, Store.Taken> taken = store.ofArrivals(wanted);
      for (String arrival : wanted) {
        Store.Taken job = taken.get(arrival);
        if (job != null && !job.state().isEnd()) {
          tell(present, arrival, job.job());
        }
      }
    } catch (IOException | RuntimeException e) {
      LOG.debug("people are not told why their jobs wait", e);
    }
  }

  private void tell(Engine present, String arrival, long job) throws IOException {
    Explanation explanation = explainer.explain(job).orElse(null);
    if (explanation != null && explanation.job().state().isWaiting()) {
      String why = explanation.why().isEmpty() ? "" : explanation.why().getFirst();
      present.explain(arrival, "job %d: %s".formatted(job, why), explanation.startSeconds());
    }
  }
}
