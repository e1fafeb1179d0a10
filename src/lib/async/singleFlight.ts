/** Who asks for `work` while it is under way waits for that, and hears what came of it. */
export function singleFlight<Done>(work: () => Promise<Done>): () => Promise<Done> {
  let running: Promise<Done> | undefined
  return () => {
    running ??= work().finally(() => {
      running = undefined
    })
    return running
  }
}
