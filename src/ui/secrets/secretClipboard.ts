const keptMs = 60_000

/** State of a copy: in the clipboard, clearing refused so far, or cleared. */
export type Copied = 'held' | 'stuck' | 'emptied'

type Page = {
  write(text: string): Promise<void>
  wait(work: () => void, ms: number): unknown
  /** Calls `work` once, on the next focus, click or key release. */
  onUse(work: () => void): void
}

/**
 * Copies secrets and clears the clipboard after a minute, whatever it holds. Chromium requires focus for
 * writing, Firefox a user gesture or permission (wxt.config.ts): a refused clear is retried on the next use.
 * A closed page cannot clear.
 */
export function createSecretClipboard(page: Page) {
  /** Earlier copies must not clear the newest. */
  let newest = 0
  /** Undefined once cleared. */
  let emptyIt: (() => Promise<void>) | undefined
  let whenEmpty: (() => void) | undefined

  async function copy(secret: string, tell: (now: Copied) => void): Promise<void> {
    await page.write(secret)
    newest += 1
    const mine = newest
    const empty = async () => {
      if (mine !== newest || emptyIt === undefined) return
      try {
        await page.write('')
        emptyIt = undefined
        tell('emptied')
        whenEmpty?.()
      } catch {
        tell('stuck')
        page.onUse(empty)
      }
    }
    emptyIt = empty
    tell('held')
    page.wait(empty, keptMs)
  }

  /** Clears before the page closes. Returns false if refused; `later` is then called once cleared. */
  async function emptyNow(later?: () => void): Promise<boolean> {
    await emptyIt?.()
    if (emptyIt === undefined) return true
    whenEmpty = later
    return false
  }

  return { copy, emptyNow }
}

export const { copy: copySecret, emptyNow: clearClipboard } = createSecretClipboard({
  write: (text) => navigator.clipboard.writeText(text),
  wait: (work, ms) => setTimeout(work, ms),
  onUse(work) {
    const uses = new AbortController()
    for (const event of ['focus', 'click', 'keyup']) {
      addEventListener(
        event,
        () => {
          uses.abort()
          work()
        },
        uses,
      )
    }
  },
})
