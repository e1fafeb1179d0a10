type StandInWindow = Window & typeof globalThis

/** Window stub shared by both scripts. */
export function standInWindow(options: { contentType?: string; isSecureContext?: boolean } = {}) {
  const { contentType = 'text/html', isSecureContext = true } = options
  const document = Object.assign(new EventTarget(), { contentType, prerendering: false })
  const observers = new Set<() => void>()
  class MutationObserver {
    constructor(private readonly heard: () => void) {}
    observe() {
      observers.add(this.heard)
    }
    disconnect() {
      observers.delete(this.heard)
    }
  }
  const page = Object.assign(new EventTarget(), {
    document,
    isSecureContext,
    MessageEvent,
    MutationObserver,
    reportError: () => undefined,
    setTimeout,
    scheduler: { postTask: async (task: () => void) => void setTimeout(task) },
  }) as unknown as StandInWindow
  return {
    page,
    document,
    mutate() {
      for (const heard of [...observers]) heard()
    },
  }
}
