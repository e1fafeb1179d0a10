/** Defers `make` to the first call and keeps its result, so that the worker starts sooner. */
export function once<Made>(make: () => Made): () => Made {
  let made: { value: Made } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
