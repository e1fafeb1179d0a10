import type { Page } from '@playwright/test'
import type { Browser } from '../../dev/browser/browser.ts'
import { callWallet, openSwap, password, setLocalNetwork } from '../../dev/browser/popupPage.ts'
import type { Localnet } from '../../dev/localnet.ts'
import type { Address } from '../../src/domain/token/token.ts'
import { createKey } from '../../src/vault/password.ts'
import { newSecret } from '../../src/vault/words/phrase.ts'

/** Creates a funded wallet and opens the swap form. */
export async function makeWallet(
  browser: Browser,
  localnet: Localnet,
  serviceUrl: string,
): Promise<{ page: Page; address: Address }> {
  // Blank extension page with worker access.
  const setUp = await browser.openFile('icon/16.png')
  await setLocalNetwork(setUp, {
    rpcUrl: localnet.rpcUrl,
    faucetUrl: 'http://127.0.0.1:1',
    serviceUrl,
    stable: localnet.tokens.USDC,
    wrapped: localnet.tokens.WETH,
  })
  await callWallet(setUp, 'create', await createKey(password), await newSecret(12))
  await callWallet(setUp, 'confirmBackup')
  const status = await callWallet(setUp, 'status')
  const address = status.vault === 'unlocked' ? status.accounts[0]?.address : undefined
  if (address === undefined) throw new Error('The new wallet has no account.')
  await localnet.fund(address)
  const page = await browser.openPopup()
  await setUp.close()
  await openSwap(page)
  return { page, address }
}
