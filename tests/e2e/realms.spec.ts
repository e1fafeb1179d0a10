import { expect, type Page, type Worker } from '@playwright/test'
import { test } from './wallet.ts'

// The built worker and the built popup, as the browser runs them.

test('worker and popup freeze the prototypes, and make no code of a text', async ({ chrome }) => {
  const popup = await chrome.openPopup()
  const [worker] = chrome.context.serviceWorkers()
  if (worker === undefined) throw new Error('The worker does not run.')
  for (const realm of [worker, popup]) {
    expect(await frozen(realm)).toEqual([true, true])
    const tried = await tryText(realm)
    const codeless = expect.stringMatching(/^(EvalError|TypeError)$/)
    expect(tried).toEqual({
      eval: codeless,
      indirect: codeless,
      Function: codeless,
      ofFunction: codeless,
      timer: false,
    })
  }
})

function frozen(realm: Worker | Page): Promise<boolean[]> {
  const look = () => [Object.isFrozen(Object.prototype), Object.isFrozen(Array.prototype)]
  return 'context' in realm ? realm.evaluate(look) : realm.evaluate(look)
}

/** What becomes of each way to make code of a text. From a timer: what the test itself is let in by passes the policy over. */
function tryText(realm: Worker | Page): Promise<Record<string, string | boolean>> {
  const attempt = () =>
    new Promise<Record<string, string | boolean>>((resolve) => {
      setTimeout(() => {
        // biome-ignore lint/security/noGlobalEval: that it does nothing is what is asked.
        const indirect = eval
        const ways: Record<string, () => unknown> = {
          // biome-ignore lint/security/noGlobalEval: that it does nothing is what is asked.
          eval: () => eval('1'),
          indirect: () => indirect('1'),
          Function: () => new Function('return 1')(),
          ofFunction: () => (() => 1).constructor('return 1')(),
        }
        const tried: Record<string, string | boolean> = {}
        for (const [name, way] of Object.entries(ways)) {
          try {
            tried[name] = `made ${way()}`
          } catch (error) {
            tried[name] = (error as Error).name
          }
        }
        const timer: (code: string) => void = setTimeout
        try {
          timer('globalThis.madeOfText = true')
        } catch {
          // Refused out loud, where it is refused at all.
        }
        setTimeout(() => resolve({ ...tried, timer: 'madeOfText' in globalThis }), 100)
      })
    })
  return 'context' in realm ? realm.evaluate(attempt) : realm.evaluate(attempt)
}
