import { expect, type Page } from '@playwright/test'
import { requestWindow } from '../../../dev/browser/popupPage.ts'
import { createLook } from '../../helpers/e2e/looks.ts'
import { type Answer, approve, connect, openSite, reject, request, test } from '../../helpers/e2e/pages.ts'
import { partOf } from '../../helpers/runs.ts'
import type { SignatureSample } from '../../helpers/samples/signatureSamples.ts'
import { signatureSamples } from '../../helpers/samples/signatureSamples.ts'

// Signatures that move value require the checkbox.

/** Longer than the accept button stays disabled after the window opens. */
const restMs = 1_500

const looks =
  /^(a gasless payment|a listing on (OpenSea|Blur)|a transaction of a Safe$|an authorization|.*encodes another|an order of Uni)/

test('requires the checkbox for every signature except harmless messages', async ({
  chrome,
  wallet: { page: popup, address },
  localnet,
  site,
}) => {
  test.setTimeout(600_000)
  const { context } = chrome
  const page = await openSite(context, site.url, localnet.rpcUrl)
  await connect(context, page)
  const { harmless, clean, stopped } = signatureSamples(address as `0x${string}`, 31337, Date.now())

  for (const sample of [...clean.slice(0, 1), ...partOf([...clean.slice(1), ...stopped], 12)]) {
    const asked = ask(page, address, sample)
    const window = await sized(await requestWindow(context))
    const button = window.locator('.request .main')
    await button.waitFor()
    const tick = window.locator('.request-note').getByRole('checkbox')
    await expect(tick, sample.name).not.toBeChecked()
    await window.waitForTimeout(restMs)
    await expect(button, sample.name).toBeDisabled()
    if (looks.test(sample.name)) await createLook(window)(`sign-${slug(sample.name)}`)
    await tick.check()
    await expect(button, sample.name).toBeEnabled()
    if (sample === clean[0]) {
      await approve(window, /^Sign$/)
      expect((await asked).result).toMatch(/^0x[0-9a-f]{130}$/)
    } else {
      await reject(window)
      expect((await asked).error, sample.name).toMatchObject({ code: 4001 })
    }
    await forgetRejections(popup)
  }

  // The EIP-4361 message names another site; e2e/testDapp signs one.
  for (const sample of harmless.filter(({ name }) => !name.includes('4361'))) {
    const asked = ask(page, address, sample)
    const window = await requestWindow(context)
    await expect(window.getByRole('checkbox')).toHaveCount(0)
    await approve(window, /^Sign$/)
    expect((await asked).result, sample.name).toMatch(/^0x[0-9a-f]{130}$/)
  }
})

function ask(page: Page, address: string, { request: asked }: SignatureSample): Promise<Answer> {
  return 'message' in asked
    ? request(page, 'personal_sign', [asked.message, address])
    : request(page, 'eth_signTypedData_v4', [address, JSON.stringify(asked.typedData)])
}

function slug(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, '-')
}

/** Clears the rejections, which would delay this site's requests. */
function forgetRejections(popup: Page): Promise<void> {
  return popup.evaluate(() => {
    const { chrome } = globalThis as unknown as {
      chrome: { storage: { session: { remove(key: string): Promise<void> } } }
    }
    return chrome.storage.session.remove('rejections')
  })
}

/** A headless browser's window has no fixed size. */
async function sized(window: Page): Promise<Page> {
  await window.setViewportSize({ width: 360, height: 600 })
  return window
}
