import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { launchBrowser } from '../../dev/browser/browser.ts'
import { createWallet, setLocalNetwork } from '../../dev/browser/popupPage.ts'
import { serveSite } from '../../dev/browser/site.ts'
import type { Localnet } from '../../dev/localnet.ts'
import { longList } from '../../dev/pools/fakeTokenList.ts'
import { summarise, type Times } from '../stats.ts'

const typed = ['bake', 'number 49', '0xabcd', '00000abcd1', 'zzzz']
const rounds = 10

/** Measures key to layout, with 5,000 tokens. */
export async function benchPicker(extension: string, localnet: Localnet): Promise<Times> {
  const scratch = mkdtempSync(join(tmpdir(), 'sluice-bench-'))
  const list = await serveSite(scratch, { files: longList(31337, 5_000) })
  const browser = await launchBrowser({ extension, profile: join(scratch, 'profile'), headless: true })
  const page = await browser.openPopup()
  await setLocalNetwork(page, {
    rpcUrl: localnet.rpcUrl,
    faucetUrl: 'http://127.0.0.1:1',
    serviceUrl: list.url,
    stable: localnet.tokens.USDC,
    wrapped: localnet.tokens.WETH,
  })
  await createWallet(page)
  await page.getByRole('button', { name: /^Token to buy/ }).click()
  await page.getByRole('group', { name: 'Listed tokens' }).waitFor()
  const took = await typeAll(page)
  await browser.close()
  await list.stop()
  rmSync(scratch, { recursive: true, force: true })
  return summarise(took)
}

function typeAll(page: Page): Promise<number[]> {
  return page.evaluate(
    async ({ typed, rounds }) => {
      const field = document.querySelector<HTMLInputElement>('[role=combobox]')
      const box = document.querySelector('[role=listbox]')
      if (field === null || box === null) throw new Error('The picker is not open.')
      const took: number[] = []
      for (let round = -1; round < rounds; round++) {
        for (const word of typed) {
          const ends = [...Array(word.length).keys()]
          const steps = [...ends.map((end) => end + 1), ...ends.toReversed()]
          for (const end of steps) {
            const started = performance.now()
            field.value = word.slice(0, end)
            field.dispatchEvent(new InputEvent('input', { bubbles: true }))
            // Rendering runs in an earlier microtask.
            await Promise.resolve()
            box.getBoundingClientRect()
            if (round >= 0) took.push(performance.now() - started)
            await new Promise((resolve) => setTimeout(resolve, 5))
          }
          if (box.querySelectorAll('[role=option]').length === 0) throw new Error('The list is empty.')
        }
      }
      return took
    },
    { typed, rounds },
  )
}
