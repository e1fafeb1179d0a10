import type { Page } from '@playwright/test'
import type { Browser } from '../../dev/browser/browser.ts'
import { requestWindow } from '../../dev/browser/popupPage.ts'
import { pause } from '../../tests/helpers/e2e/intents.ts'
import { goOn } from './soakUser.ts'

type Provider = { request(ask: { method: string; params?: unknown }): Promise<unknown> }
type SiteWindow = typeof window & { provider: Provider }

export const siteHtml = `<!doctype html><title>A site</title><link rel="icon" href="data:,"><script>
  addEventListener('eip6963:announceProvider', (event) => { window.provider = event.detail.provider })
  dispatchEvent(new Event('eip6963:requestProvider'))
</script>`

/** Timeouts without and with user action. */
const withinMs = { read: 30_000, user: 3 * 60_000 }

/** Creates a connected page. */
export async function createSoakSite({ context }: Browser, url: string) {
  const page = await context.newPage()
  await page.goto(url)
  const [account] = (await asked('eth_requestAccounts', [], /^Connect$/)) as string[]

  /** Throws the wallet's error or on timeout. */
  async function asked(method: string, params: unknown[] = [], yes?: RegExp): Promise<unknown> {
    const answer = request(page, method, params)
    const late = pause(withinMs[yes === undefined ? 'read' : 'user']).then(() => {
      throw new Error(`${method}: no answer.`)
    })
    const end = Promise.race([answer, late])
    if (yes !== undefined) await sayYes(yes, end)
    return end
  }

  async function sayYes(yes: RegExp, end: Promise<unknown>): Promise<void> {
    let isOver = false
    const over = () => {
      isOver = true
    }
    end.then(over, over)
    const window = await requestWindow(context)
    while (!isOver && !window.isClosed()) {
      await goOn(window, yes)
      await pause(150)
    }
  }

  return {
    async read() {
      for (const method of ['eth_chainId', 'eth_accounts', 'eth_blockNumber']) await asked(method)
    },
    sign: () => asked('personal_sign', ['0x68656c6c6f', account], /^Sign$/),
  }
}

function request(page: Page, method: string, params: unknown[]): Promise<unknown> {
  return page.evaluate(
    async ({ method, params }) => {
      try {
        return await (window as SiteWindow).provider.request({ method, params })
      } catch (error) {
        const { code, message } = error as { code: number; message: string }
        throw new Error(`${method}: ${code}, ${message}`)
      }
    },
    { method, params },
  )
}
