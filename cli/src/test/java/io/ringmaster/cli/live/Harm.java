package io.ringmaster.cli.live;

/**
 * One way to do harm.
 *
 * @param name what is done
 * @param user who does it
 * @param pauseSeconds between two rounds
 */
record Harm(String name, String user, double pauseSeconds, Round round) {

  /** Does it once, and says what must hold nevertheless. */
  @FunctionalInterface
  interface Round {
    void play(HostileUser me) throws Exception;
  }

  /** Plays rounds as long as the attack goes on. */
  void play(HostileUser me) {
    while (me.target().isOn()) {
      try {
        round.play(me);
      } catch (InterruptedException e) {
        return;
      } catch (Exception e) {
        me.expect(false, "%s", "a round broke: " + e);
      }
      me.nextRound();
      long began = System.nanoTime();
      while (me.target().isOn() && System.nanoTime() - began < 1e9 * pauseSeconds) {
        Client.pause(50);
      }
    }
  }
}
