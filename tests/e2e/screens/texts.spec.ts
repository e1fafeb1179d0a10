import { type BrowserContext, expect, type Page } from '@playwright/test'
import { encodeFunctionData, erc20Abi, toHex } from 'viem'
import { callWallet, requestWindow } from '../../../dev/browser/popupPage.ts'
import { approve, openSite, reject, request, test } from '../../helpers/e2e/pages.ts'
import { deployToken, mintAbi } from '../../helpers/e2e/wallet.ts'

// Untrusted text must not become code in extension documents.

test('shows names that contain markup as text in the popup and the request windows', async ({
  chrome,
  wallet: { page, address },
  localnet,
  site,
}) => {
  const { context } = chrome
  const faults = await watchCode(context, page)
  const token = await deployToken(localnet, names.token, names.symbol)
  await localnet.client.writeContract({
    address: token,
    abi: mintAbi,
    functionName: 'mint',
    args: [address, 99n],
  })
  const friend = `0x${'f1'.repeat(20)}` as const
  await callWallet(page, 'changeAccount', address, { name: names.account })
  const { networks } = await callWallet(page, 'settings')
  await callWallet(page, 'saveSettings', {
    contacts: [{ address: friend, name: names.contact, note: names.note }],
    networks: networks.map((one) => (one.chainId === 31337 ? { ...one, name: names.network } : one)),
  })
  await callWallet(page, 'importToken', 31337, token)

  // Texts of a page and of the tokens and accounts it names.
  const asking = await openSite(context, site.url, localnet.rpcUrl)
  await asking.evaluate((title) => {
    document.title = title
  }, names.title)
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [friend, 9n] })
  const typed = {
    domain: { name: hostile[0], version: hostile[1], chainId: 31337 },
    types: {
      EIP712Domain: [
        { name: 'name', type: 'string' },
        { name: 'version', type: 'string' },
        { name: 'chainId', type: 'uint256' },
      ],
      Mail: [{ name: 'texts', type: 'string[]' }],
    },
    primaryType: 'Mail',
    message: { texts: hostile },
  }
  const chain = {
    chainId: '0x309',
    chainName: names.network,
    nativeCurrency: { name: names.title, symbol: '<b id>', decimals: 18 },
    rpcUrls: [localnet.rpcUrl],
  }
  const who = [names.account, names.network]
  const asks: [method: string, params: unknown, shown: string[], yes?: string][] = [
    ['eth_requestAccounts', [], [names.account], 'Connect'],
    [
      'eth_sendTransaction',
      [{ from: address, to: token, data }],
      [...who, names.symbol, names.contact],
      'Send',
    ],
    ['wallet_watchAsset', { type: 'ERC20', options: { address: token } }, [names.symbol, names.token]],
    ['wallet_addEthereumChain', [chain], [names.network, names.title, '<b id>']],
    ['personal_sign', [toHex(hostile.join('\n')), address], [...who, ...written]],
    ['eth_signTypedData_v4', [address, JSON.stringify(typed)], [...who, ...written]],
  ]
  for (const [method, params, shown, yes] of asks) {
    const asked = request(asking, method, params)
    const window = await requestWindow(context)
    await expectTexts(window, shown)
    // A site is only named by its origin.
    if (!shown.includes(names.title)) await expect(window.getByText(names.title)).toHaveCount(0)
    expect(await window.title()).not.toContain(names.title)
    expect(await faults(window), method).toEqual([])
    await (yes === undefined ? reject(window) : approve(window, yes))
    expect((await asked).error?.code, method).toBe(yes === undefined ? 4001 : undefined)
  }

  const transfer = { chainId: 31337, account: address, token, to: friend, amount: 9n }
  const { feeCap } = await callWallet(page, 'previewTransfer', transfer)
  const id = '5e'.repeat(16)
  await callWallet(page, 'send', { ...transfer, id, feeCap })
  // All of it was added after this page was loaded.
  await page.reload()
  const places: [place: string, shown: string[]][] = [
    ['overview', [names.account, names.network, names.symbol, names.token]],
    [`token/${token}`, [names.symbol, names.token]],
    ['receive', [names.account]],
    ['accounts', [names.account]],
    [`account/${address}`, [names.account]],
    ['contacts', [names.contact, names.note]],
    [`contacts/${friend}`, [names.contact, names.note]],
    ['networks', [names.network]],
    ['network/31337', [names.network]],
    ['sites', [names.network]],
    [`send/${token}`, [names.symbol, names.contact]],
    ['activity', [names.symbol, names.contact]],
    [`entry/${id}`, [names.symbol, names.contact]],
  ]
  for (const [place, shown] of places) {
    await goTo(page, place)
    await expectTexts(page, shown)
    expect(await faults(page), place).toEqual([])
  }
  await goTo(page, 'swap')
  await page.getByRole('button', { name: /^Token to sell/ }).click()
  await page.getByRole('combobox').fill(names.symbol)
  await expect(page.getByRole('option').filter({ hasText: names.symbol })).toContainText(names.token)
  expect(await faults(page)).toEqual([])
})

test('keeps typed markup as text in every field, and blocks code from text by policy', async ({
  chrome,
  wallet: { page, address },
}) => {
  const faults = await watchCode(chrome.context, page)
  // Places with their number of fields, so that none is skipped.
  const forms: [place: string, open: RegExp | undefined, fields: number][] = [
    ['send', undefined, 2],
    ['contacts', /^Add a contact$/, 3],
    [`account/${address}`, undefined, 1],
    ['networks', undefined, 1],
    ['network/31337', undefined, 13],
    ['network/new', undefined, 1],
    ['swap', undefined, 2],
    ['swap', /^Token to buy/, 1],
  ]
  for (const [place, open, count] of forms) {
    await goTo(page, place)
    if (open) await page.getByRole('button', { name: open }).click()
    if (place === 'network/31337') await page.getByText('Advanced', { exact: true }).click()
    const within = open ? page.getByRole('dialog') : page.locator('main')
    const fields = within.locator('input:not([type=password], [type=checkbox], [type=radio]), textarea')
    await expect(fields, place).toHaveCount(count)
    for (const field of await fields.all()) {
      for (const text of hostile) {
        await field.fill(text)
        await expect(field, place).toHaveValue(text)
      }
    }
    expect(await faults(page), place).toEqual([])
  }

  // Tests the CSP from a timer, as the debugger's evaluation bypasses it.
  expect(await page.evaluate(tryCode)).toEqual({
    eval: 'EvalError',
    Function: 'EvalError',
    timer: 'TypeError',
    innerHTML: 'TypeError',
    text: 'TypeError',
    source: 'TypeError',
    handler: 'TypeError',
    after: 'not run',
  })
  expect(await faults(page)).toContain('require-trusted-types-for')
})

/** Markup that would visibly run, short enough for a name. */
const names = {
  account: '<img src=x onerror="ran=1">',
  contact: '<svg onload="globalThis.ran=2">',
  note: '"><script>globalThis.ran=3</script>',
  network: '<iframe srcdoc="<script>parent.ran=4</script>">',
  token: '<details open ontoggle="globalThis.ran=5">',
  symbol: '<img src=x>',
  title: '</title><script>globalThis.ran=6</script>',
}

const hostile = [
  '<img src=x onerror="globalThis.ran = 1">',
  '<svg onload="globalThis.ran = 1">',
  'javascript:globalThis.ran=1',
  '\u202Egnp.exe\u2066 \u200B{{constructor.constructor("globalThis.ran=1")()}}',
  '"><script>globalThis.ran = 1</script>',
  'x'.repeat(10_000),
]

/** Texts shown unchanged: invisible characters are marked and long texts truncated. */
const written = hostile.filter((text) => text.length < 100 && /^[ -~]+$/.test(text))

/** Navigates without a reload, which would clear the recorded violations. */
async function goTo(page: Page, place: string): Promise<void> {
  await page.evaluate((hash) => location.assign(hash), `#/${place}`)
}

async function expectTexts(page: Page, texts: string[]): Promise<void> {
  for (const text of texts) {
    await expect(page.getByText(text).filter({ visible: true }).first(), text).toBeVisible()
  }
}

/** Records text executed as code. Returns a function that lists what was seen in a page or anywhere. */
async function watchCode(context: BrowserContext, popup: Page): Promise<(page: Page) => Promise<unknown[]>> {
  const said: string[] = []
  context.on('weberror', (error) => said.push(String(error.error())))
  context.on('console', (message) => {
    if (message.type() === 'error' && message.page()?.url().startsWith('chrome-extension:')) {
      said.push(message.text())
    }
  })
  await context.addInitScript(watchPolicy)
  await popup.reload()
  return async (page) => {
    const seen = await page.evaluate(() => {
      const { violations, ran } = globalThis as unknown as Watched
      const made = document.querySelectorAll(
        '[onerror], [onload], [ontoggle], iframe, img:not([src^="/networks/"])',
      ).length
      return [
        ...violations,
        ...(ran === undefined ? [] : ['a text ran']),
        ...(made > 0 ? ['a text was made a part'] : []),
      ]
    })
    return [...seen, ...said]
  }
}

type Watched = { violations: string[]; ran?: number }

/** Runs in every document before its scripts: records CSP violations. */
function watchPolicy(): void {
  const violations: string[] = []
  Object.assign(globalThis, { violations })
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
    violations.push(effectiveDirective)
  })
}

/** Runs in an extension page: tries each way from text to code and returns the results. */
function tryCode(): Promise<Record<string, string>> {
  const watched = globalThis as unknown as Watched
  const named = (work: () => unknown) => {
    try {
      work()
      return watched.ran === undefined ? 'not run' : 'ran'
    } catch (error) {
      return (error as Error).name
    }
  }
  const code = 'globalThis.ran = 1'
  return new Promise((done) => {
    setTimeout(() => {
      const add = (name: string, properties: object) => {
        const element = document.createElement(name)
        return named(() => {
          Object.assign(element, properties)
          document.body.append(element)
        })
      }
      const ends = {
        // biome-ignore lint/security/noGlobalEval: that it is refused is what is asked.
        eval: named(() => globalThis.eval(code)),
        Function: named(() => new Function(code)()),
        timer: named(() => setTimeout(code as unknown as () => void)),
        innerHTML: add('p', { innerHTML: '<img src=x onerror="globalThis.ran = 1">' }),
        text: add('script', { text: code }),
        source: add('script', { src: 'https://script.example/' }),
        handler: named(() => document.body.setAttribute('onclick', code)),
      }
      setTimeout(() => done({ ...ends, after: named(() => document.body.click()) }), 300)
    })
  })
}
