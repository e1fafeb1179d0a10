export type Listener = (data: unknown) => void

/** EIP-2700, and methods older clients call. */
export type Emitter = {
  on(event: string, listener: Listener): Emitter
  once(event: string, listener: Listener): Emitter
  addListener(event: string, listener: Listener): Emitter
  removeListener(event: string, listener: Listener): Emitter
  off(event: string, listener: Listener): Emitter
  removeAllListeners(event?: string): Emitter
}

/**
 * Adds methods that work detached. `report` gets listeners' errors. `emit` is separate, as pages must not
 * have it.
 */
export function createEmitter<Target extends object>(
  target: Target,
  report: (error: unknown) => void,
): { emitter: Target & Emitter; emit: (event: string, data: unknown) => void } {
  let entries: { event: string; listener: Listener; once: boolean }[] = []
  const add = (once: boolean) => (event: string, listener: Listener) => {
    entries = [...entries, { event, listener, once }]
    return emitter
  }
  // As in Node.
  const remove = (event: string, listener: Listener) => {
    const index = entries.findLastIndex((entry) => entry.event === event && entry.listener === listener)
    entries = entries.filter((_, position) => position !== index)
    return emitter
  }
  const emitter: Target & Emitter = Object.assign(target, {
    on: add(false),
    addListener: add(false),
    once: add(true),
    removeListener: remove,
    off: remove,
    removeAllListeners(event?: string) {
      entries = entries.filter((entry) => event !== undefined && entry.event !== event)
      return emitter
    },
  })
  return {
    emitter,
    emit(event, data) {
      const now = entries.filter((entry) => entry.event === event)
      entries = entries.filter((entry) => !(entry.once && now.includes(entry)))
      for (const { listener } of now) {
        try {
          listener.call(emitter, data)
        } catch (error) {
          report(error)
        }
      }
    },
  }
}
