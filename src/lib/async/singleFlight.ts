/** Single-flight: concurrent calls share one run of `work`. */
export function singleFlight<Done>(work: () => Promise<Done>): () => Promise<Done> {
  let running: Promise<Done> | undefined
  return () => {
    running ??= work().finally(() => {
      running = undefined
    })
    return running
  }
}
