import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { type Browser, launchBrowser } from '../dev/browser.ts'
import { writeFloor } from './floor.ts'
import { summarise, type Times } from './stats.ts'

export type ExtensionTimes = {
  /** From navigation to the first button or field that can be used, in a browser that was just started. */
  popupCold: Times
  /** The same again, in a browser that showed it before. */
  popupWarm: Times
  /** From a message to a stopped worker to its answer. */
  workerCold: Times
}

const statusCall = JSON.stringify({ channel: 'wallet', method: 'status', args: [] })

/** Ours and a do-nothing extension in turns, so that a noisy machine is noisy for both. */
export async function benchExtension(
  extension: string,
  rounds: number,
): Promise<{ ours: ExtensionTimes; floor: ExtensionTimes }> {
  const scratch = mkdtempSync(join(tmpdir(), 'sluice-bench-'))
  const folders = { ours: extension, floor: writeFloor(join(scratch, 'floor')) }
  const samples = { ours: empty(), floor: empty() }
  for (let round = 0; round < rounds; round++) {
    for (const name of ['ours', 'floor'] as const) {
      const profile = join(scratch, `${name}-${round}`)
      const browser = await launchBrowser({ extension: folders[name], profile, headless: true })
      await measure(browser, samples[name])
      await browser.close()
    }
  }
  rmSync(scratch, { recursive: true, force: true })
  return { ours: summariseAll(samples.ours), floor: summariseAll(samples.floor) }
}

type Samples = Record<keyof ExtensionTimes, number[]>

async function measure(browser: Browser, samples: Samples): Promise<void> {
  samples.popupCold.push(await openPopup(browser))
  for (let again = 0; again < 3; again++) samples.popupWarm.push(await openPopup(browser))
  const page = await browser.openPopup()
  for (let again = 0; again < 4; again++) {
    await browser.killWorker()
    samples.workerCold.push(await askWorker(page))
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

function askWorker(page: Page): Promise<number> {
  return page.evaluate(async (message) => {
    const runtime = (
      globalThis as unknown as { chrome: { runtime: { sendMessage(text: string): Promise<unknown> } } }
    ).chrome.runtime
    const started = performance.now()
    await runtime.sendMessage(message)
    return performance.now() - started
  }, statusCall)
}

function empty(): Samples {
  return { popupCold: [], popupWarm: [], workerCold: [] }
}

function summariseAll({ popupCold, popupWarm, workerCold }: Samples): ExtensionTimes {
  return {
    popupCold: summarise(popupCold),
    popupWarm: summarise(popupWarm),
    workerCold: summarise(workerCold),
  }
}
