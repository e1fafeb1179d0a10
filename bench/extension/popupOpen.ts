import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launchBrowser } from '../../dev/browser/browser.ts'
import type { Localnet } from '../../dev/localnet.ts'
import { startService } from '../../service/server.ts'
import { lookAtWorker, pageHeapMb } from '../soak/memory.ts'
import type { Times } from '../stats.ts'
import { benchQuotes, timeService } from './quotes.ts'
import { benchUnlock, type UnlockTimes } from './unlock.ts'
import { benchWake, fillJournal, type WakeTimes } from './wake.ts'
import { makeWallet } from './wallet.ts'

export type OpenFigures = {
  /** Request to rendered quote, less the service's time. */
  quote: Times
  wake: WakeTimes
  unlock: UnlockTimes
  /** With `records` swaps. */
  popupMb: number
  workerMb: number
}

export const records = 100

export async function benchOpen(extension: string, localnet: Localnet): Promise<OpenFigures> {
  const real = await startService({ config: localnet.config, rpcUrl: localnet.rpcUrl, port: 0 })
  const service = await timeService(real.url)
  const scratch = mkdtempSync(join(tmpdir(), 'sluice-bench-'))
  const browser = await launchBrowser({ extension, profile: join(scratch, 'profile'), headless: true })
  const { page, address } = await makeWallet(browser, localnet, service.url)
  await fillJournal(page, localnet, address, records)
  await browser.killWorker()
  const quote = await benchQuotes(page, service)
  const popupMb = await pageHeapMb(page)
  const workerMb = (await lookAtWorker(browser))?.heapMb ?? Number.NaN
  await page.close()
  const opener = await browser.openFile('icon/16.png')
  const wake = await benchWake(browser, opener)
  const unlock = await benchUnlock(browser, opener)
  await browser.close()
  await service.stop()
  await real.stop()
  rmSync(scratch, { recursive: true, force: true })
  return { quote, wake, unlock, popupMb, workerMb }
}
