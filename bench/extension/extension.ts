import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { type Browser, launchBrowser } from '../../dev/browser/browser.ts'
import { callWallet, password } from '../../dev/browser/popupPage.ts'
import { serveSite } from '../../dev/browser/site.ts'
import { encode } from '../../src/domain/json.ts'
import { createKey } from '../../src/vault/password.ts'
import { newSecret } from '../../src/vault/words/phrase.ts'
import { pause } from '../../tests/helpers/e2e/intents.ts'
import { browserMb } from '../soak/memory.ts'
import { summarise, type Times } from '../stats.ts'
import { writeEmptyExtension } from './emptyExtension.ts'
import { ask } from './wake.ts'
import { noWeight, type Weight, weigh } from './weight.ts'

export type ExtensionFigures = {
  /** Navigation to the first usable control, in an idle browser. */
  popupCold: Times
  /** Right after browser start. */
  popupAtStart: Times
  /** Shown before. */
  popupWarm: Times
  /** Message to a stopped worker to its answer. */
  workerCold: Times
  /** All processes of the browser started with a wallet, without extension pages. */
  idleMb: Times
} & { [What in keyof Weight]: Times }

const statusCall = encode({ channel: 'wallet', method: 'status', args: [] })

/** Alternates with an empty extension, so that noise hits both. */
export async function benchExtension(
  extension: string,
  rounds: number,
): Promise<{ ours: ExtensionFigures; floor: ExtensionFigures }> {
  const scratch = mkdtempSync(join(tmpdir(), 'sluice-bench-'))
  const site = await serveSite(scratch, {
    files: {
      '/': { type: 'text/html', body: '<!doctype html><title>Empty</title><link rel="icon" href="data:,">' },
    },
  })
  const folders = { ours: extension, floor: writeEmptyExtension(join(scratch, 'floor')) }
  const samples = { ours: empty(), floor: empty() }
  for (let round = 0; round < rounds; round++) {
    for (const name of ['ours', 'floor'] as const) {
      // Separate browsers keep timings out of the memory figures.
      for (const part of [
        openAtStart,
        measure,
        (one, into) => weigh(one, site.url, statusCall, into),
      ] satisfies Part[]) {
        const profile = mkdtempSync(join(scratch, `${name}-${round}-`))
        const browser = await launchBrowser({ extension: folders[name], profile, headless: true })
        await part(browser, samples[name])
        await browser.close()
      }
      const profile = mkdtempSync(join(scratch, `${name}-${round}-`))
      await weighIdle(folders[name], profile, samples[name], name === 'ours' ? makeWallet : undefined)
    }
  }
  await site.stop()
  rmSync(scratch, { recursive: true, force: true })
  return { ours: summariseAll(samples.ours), floor: summariseAll(samples.floor) }
}

type Samples = Record<keyof ExtensionFigures, number[]>
type Part = (browser: Browser, samples: Samples) => Promise<void>

async function openAtStart(browser: Browser, samples: Samples): Promise<void> {
  samples.popupAtStart.push(await openPopup(browser))
}

async function measure(browser: Browser, samples: Samples): Promise<void> {
  await pause(4_000)
  samples.popupCold.push(await openPopup(browser))
  for (let again = 0; again < 3; again++) samples.popupWarm.push(await openPopup(browser))
  const page = await browser.openPopup()
  for (let again = 0; again < 4; again++) {
    await browser.killWorker()
    samples.workerCold.push(await ask(page, statusCall))
  }
}

async function openPopup(browser: Browser): Promise<number> {
  const page = await browser.openPopup()
  const ready = await page.waitForFunction(() => {
    const control = document.querySelector('main button:not([disabled]), main input:not([disabled])')
    return control === null ? undefined : performance.now()
  })
  const took = Number(await ready.jsonValue())
  await page.close()
  return took
}

/** In the second run of the browser, since a new wallet opens a tab in the first. */
async function weighIdle(
  extension: string,
  profile: string,
  samples: Samples,
  prepare: (page: Page) => Promise<void> = async () => undefined,
): Promise<void> {
  const first = await launchBrowser({ extension, profile, headless: true })
  await prepare(await first.openPopup())
  await first.close()
  const browser = await launchBrowser({ extension, profile, headless: true })
  await pause(4_000)
  samples.idleMb.push(await browserMb(browser))
  await browser.close()
}

async function makeWallet(page: Page): Promise<void> {
  await callWallet(page, 'create', await createKey(password), await newSecret(12))
  await callWallet(page, 'confirmBackup')
}

function empty(): Samples {
  return { idleMb: [], popupCold: [], popupAtStart: [], popupWarm: [], workerCold: [], ...noWeight() }
}

function summariseAll(samples: Samples): ExtensionFigures {
  const entries = Object.entries(samples).map(([what, figures]) => [what, summarise(figures)])
  return Object.fromEntries(entries) as ExtensionFigures
}
