export type Listener = (data: unknown) => void

/** The part of Node's event emitter that EIP-2700 asks for, and what clients of old call besides. */
export type Emitter = {
  on(event: string, listener: Listener): Emitter
  once(event: string, listener: Listener): Emitter
  addListener(event: string, listener: Listener): Emitter
  removeListener(event: string, listener: Listener): Emitter
  off(event: string, listener: Listener): Emitter
  removeAllListeners(event?: string): Emitter
}

/**
 * Adds the emitter's methods to `target`. They know no `this`, so that they work when a page takes them off the object.
 * @param report what becomes of an error that a listener throws: it must not keep the others from hearing
 * @returns the way to emit, which pages do not get
 */
export function makeEmitter<Target extends object>(
  target: Target,
  report: (error: unknown) => void,
): { emitter: Target & Emitter; emit: (event: string, data: unknown) => void } {
  let entries: { event: string; listener: Listener; once: boolean }[] = []
  const add = (once: boolean) => (event: string, listener: Listener) => {
    entries = [...entries, { event, listener, once }]
    return emitter
  }
  // The youngest of equal ones goes, as in Node.
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
