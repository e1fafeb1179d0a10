import { expect, type Page } from '@playwright/test'
import { callWallet } from '../../../dev/browser/popupPage.ts'
import { changePassword } from '../../../src/vault/password.ts'
import { newSecret } from '../../../src/vault/words/phrase.ts'
import { insist, pause } from '../../helpers/e2e/intents.ts'
import { test } from '../../helpers/e2e/wallet.ts'
import { figure } from '../../helpers/figures.ts'
import { newSeed, randomFrom } from '../../helpers/random.ts'
import { runs } from '../../helpers/runs.ts'

// Stops the worker at random moments of a vault write: the stored vault is either the old or the new one.

const kills = runs(16, 500)
/** Duration of a write and of stopping a worker: either may come first. */
const spreadMs = 60

test(`keeps the vault readable when ${kills} workers are killed during vault writes`, async ({
  chrome,
  key,
}) => {
  test.setTimeout(10_000 * kills + 120_000)
  const seed = newSeed()
  const random = randomFrom(seed)
  const page = await chrome.openFile('icon/16.png')
  const other = await changePassword(key.wrap, 'another password altogether', key.dataKey)
  let cuts = 0
  let kept = 0

  /** Returns true if `act` completed. */
  async function killed(act: () => Promise<unknown>): Promise<boolean> {
    const acting = pause(random() * spreadMs)
      .then(act)
      .then(
        () => true,
        (error: Error) => {
          expect(error.message).toMatch(/message (port|channel) closed/)
          cuts++
          return false
        },
      )
    await pause(random() * spreadMs)
    await chrome.killWorker()
    return acting
  }

  for (let kill = 0; kill < kills; kill++) {
    await insist(page, () => callWallet(page, 'reset'))
    const secret = await newSecret(12)
    const opens = async () => {
      await insist(page, () => callWallet(page, 'unlock', key.dataKey))
      expect(await insist(page, () => callWallet(page, 'reveal', key.dataKey))).toBe(secret.entropy)
    }
    const act = (['create', 'importPhrase', 'changeWrappedKey', 'reset'] as const)[kill % 4] ?? 'create'
    if (act === 'create' || act === 'importPhrase') {
      const isDone = await killed(() => callWallet(page, act, key, secret))
      const isThere = (await vaultOf(page)) !== 'none'
      expect(isThere || !isDone).toBe(true)
      if (isThere) kept++
      else await callWallet(page, act, key, secret)
    } else {
      await callWallet(page, 'create', key, secret)
      const isDone = await killed(() =>
        act === 'reset' ? callWallet(page, act) : callWallet(page, act, other),
      )
      const isGone = (await vaultOf(page)) === 'none'
      if (act === 'reset') {
        expect(isGone || !isDone).toBe(true)
        if (!isGone) kept++
        else continue
      } else {
        const wrap = await insist(page, () => callWallet(page, 'wrappedKey'))
        if (isDone) expect(wrap).toEqual(other.wrap)
        else expect([key.wrap, other.wrap]).toContainEqual(wrap)
        kept++
      }
    }
    await opens()
  }
  figure(
    '8',
    `${kills} kills during writes of the vault, ${cuts} of which cut one short: the vault was there ${kept} times, each time whole, and else not yet or no more; 0 damaged (seed ${seed})`,
  )
})

async function vaultOf(page: Page): Promise<'none' | 'locked' | 'unlocked'> {
  return (await insist(page, () => callWallet(page, 'status'))).vault
}
