/** How long a secret may stay in the clipboard. */
const keptMs = 60_000

/** What became of a copy: it is in the clipboard, the browser did not let it be emptied yet, or it is gone. */
export type Copied = 'held' | 'stuck' | 'emptied'

/** What is needed of the page. */
type Page = {
  write(text: string): Promise<void>
  wait(work: () => void, ms: number): unknown
  /** Calls once, when the page has the focus again or something in it is pressed. */
  onUse(work: () => void): void
}

/**
 * Copies secrets, and empties the clipboard a minute later, whatever is in it then: what it holds is not for us to read. Chromium lets only
 * a page with the focus write; Firefox one in which something was just pressed, unless the extension may always (wxt.config.ts). Where it is
 * refused it is tried again at each use of the page. A page that is closed does nothing, which is to be said before.
 */
export function createSecretClipboard(page: Page) {
  /** The newest copy: an earlier one's end is not this one's. */
  let newest = 0
  /** Empties it of what was copied last, until that is done. */
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

  /** For a page that is about to go: at once, where there is anything to empty. False when it is refused; `later` is called once it was done. */
  async function emptyNow(later?: () => void): Promise<boolean> {
    await emptyIt?.()
    if (emptyIt === undefined) return true
    whenEmpty = later
    return false
  }

  return { copy, emptyNow }
}

/** The page's own. */
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
