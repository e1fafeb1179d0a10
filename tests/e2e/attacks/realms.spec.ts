import { expect, type Page, type Worker } from '@playwright/test'
import { openSite, test } from '../../helpers/e2e/pages.ts'

test('freezes the prototypes and blocks code from text in the worker and the popup', async ({ chrome }) => {
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

test('runs the built page script in strict mode, which hides its functions from page callbacks', async ({
  chrome,
  localnet,
  site,
}) => {
  const page = await openSite(chrome.context, site.url, localnet.rpcUrl)
  // A classic script runs in sloppy mode, as on a hostile page.
  await page.addScriptTag({ content: `window.callers = (${String(callersSeen)})()` })
  const seen = await page.evaluate(() => (window as unknown as { callers: Promise<Callers> }).callers)
  expect(seen.canSee).toBe(true)
  expect(seen.found).toEqual({ getter: null, toJSON: null, listener: null })
  for (const [name, reads] of Object.entries(seen.functions)) {
    expect(reads, name).toEqual({ caller: 'TypeError', arguments: 'TypeError', hasOwn: false })
  }
  expect(Object.keys(seen.functions)).toEqual(
    expect.arrayContaining(['request', 'isConnected', 'on', 'once', 'removeListener', 'removeAllListeners']),
  )
})

type Callers = {
  /** True if sloppy callers are visible at all, as a control. */
  canSee: boolean
  found: Record<string, string | null>
  functions: Record<string, { caller: string; arguments: string; hasOwn: boolean }>
}

/** Runs in the page in sloppy mode; must not use outer scope. */
async function callersSeen(): Promise<Callers> {
  const { provider } = await window.site
  const ask = provider.request as (ask: object) => Promise<unknown>
  const found: Record<string, string | null> = {}
  const sloppy = (name: string) =>
    new Function(
      'found',
      `return function seen() { found[${JSON.stringify(name)}] = seen.caller && String(seen.caller); return [] }`,
    )(found)
  const control = new Function('seen', 'return (function outer() { seen() })()')
  control(sloppy('control'))
  const canSee = typeof found.control === 'string'
  delete found.control

  // EIP-1193 emits `connect` with the first answer that has the chain ID.
  provider.on('connect', sloppy('listener'))
  await ask(Object.defineProperty({ method: 'eth_chainId' }, 'params', { get: sloppy('getter') }))
  await ask({ method: 'eth_chainId', params: { toJSON: sloppy('toJSON') } })

  const functions: Callers['functions'] = {}
  const nameOf = (read: () => unknown) => {
    try {
      read()
      return 'nothing'
    } catch (error) {
      return (error as Error).constructor.name
    }
  }
  for (const [name, value] of Object.entries(provider as object)) {
    if (typeof value !== 'function') continue
    functions[name] = {
      caller: nameOf(() => value.caller),
      arguments: nameOf(() => value.arguments),
      hasOwn: Object.hasOwn(value, 'caller') || Object.hasOwn(value, 'arguments'),
    }
  }
  return { canSee, found, functions }
}

function frozen(realm: Worker | Page): Promise<boolean[]> {
  const look = () => [Object.isFrozen(Object.prototype), Object.isFrozen(Array.prototype)]
  return 'context' in realm ? realm.evaluate(look) : realm.evaluate(look)
}

/**
 * Returns the result of each way to evaluate text as code. Uses a timer, as the test tool's own evaluation
 * bypasses the CSP.
 */
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
          // Throws where it is refused at all.
        }
        setTimeout(() => resolve({ ...tried, timer: 'madeOfText' in globalThis }), 100)
      })
    })
  return 'context' in realm ? realm.evaluate(attempt) : realm.evaluate(attempt)
}
