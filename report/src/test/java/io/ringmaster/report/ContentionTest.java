package io.ringmaster.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.model.Jobs;
import io.ringmaster.model.JobsBuilder;
import io.ringmaster.model.ModelTable;
import io.ringmaster.simulator.Segments;
import io.ringmaster.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class ContentionTest {
  private static Jobs jobs(int count) {
    JobsBuilder builder = Jobs.builder(ModelTable.standard());
    for (int job = 0; job < count; job++) {
      builder.addDuration("j" + job, 0, 4, 100, "vgg16");
    }
    return builder.build();
  }

  /**
   * Ring 0 is on servers 0 and 1 from 0 to 10, ring 1 on 1 and 2 from 4 to 20, ring 2 on 2 and 3
   * from 8 to 12, and job 3 on server 0 alone. Ring 0 shares from 4 to 10, ring 1 from 4 to 12,
   * ring 2 from 8 to 12. Of 4 GPUs each: 8 from 4 to 8, 12 from 8 to 10, 8 from 10 to 12.
   */
  @Test
  void ringsOnOneServerShareItsLink() {
    Segments segments = new Segments();
    segments.add(0, 0, 10, 0, 0, 2);
    segments.add(0, 0, 10, 0, 1, 2);
    segments.add(3, 0, 10, 0, 0, 4);
    segments.add(2, 8, 12, 0, 2, 2);
    segments.add(2, 8, 12, 0, 3, 2);
    segments.add(1, 4, 20, 0, 1, 2);
    segments.add(1, 4, 20, 0, 2, 2);
    assertThat(Contention.over(jobs(4), segments, new Bins(0, 20, 10)).means())
        .containsExactly(0, 0, 8, 8, 12, 8, 0, 0, 0, 0);
  }

  /** One ring ends at the moment that another begins on its servers: they never share. */
  @Test
  void anEndComesBeforeAStart() {
    Segments segments = new Segments();
    for (int job = 0; job < 2; job++) {
      segments.add(job, 10 * job, 10 * job + 10, 0, 0, 2);
      segments.add(job, 10 * job, 10 * job + 10, 0, 1, 2);
    }
    assertThat(Contention.over(jobs(2), segments, new Bins(0, 20, 2)).means())
        .containsExactly(0, 0);
  }

  private record Ring(int job, int from, int to, List<Integer> servers, int gpus) {}

  @Test
  void asALookAtEverySecondSays() {
    Seeds.each(
        100,
        (random, _) -> {
          List<Ring> rings = new ArrayList<>();
          Segments segments = new Segments();
          for (int job = 0; job < 12; job++) {
            Ring ring = ring(job, random);
            rings.add(ring);
            for (int server : ring.servers()) {
              segments.add(
                  job, ring.from(), ring.to(), 0, server, ring.gpus() / ring.servers().size());
            }
          }
          double[] plain = new double[30];
          for (int second = 0; second < 30; second++) {
            for (Ring ring : rings) {
              plain[second] += contended(ring, rings, second) ? ring.gpus() : 0;
            }
          }
          assertThat(Contention.over(jobs(12), segments, new Bins(0, 30, 30)).means())
              .containsExactly(plain, within(1e-9));
        });
  }

  private static Ring ring(int job, RandomGenerator random) {
    int from = random.nextInt(25);
    List<Integer> servers = new ArrayList<>();
    for (int server = 0; server < 6; server++) {
      if (random.nextInt(3) == 0) {
        servers.add(server);
      }
    }
    if (servers.isEmpty()) {
      servers.add(0);
    }
    return new Ring(job, from, from + 1 + random.nextInt(5), servers, 2 * servers.size());
  }

  private static boolean contended(Ring ring, List<Ring> all, int second) {
    return crosses(ring, second)
        && all.stream()
            .anyMatch(other ->
                other.job() != ring.job()
                    && crosses(other, second)
                    && other.servers().stream().anyMatch(ring.servers()::contains));
  }

  private static boolean crosses(Ring ring, int second) {
    return ring.servers().size() > 1 && ring.from() <= second && second < ring.to();
  }
}
