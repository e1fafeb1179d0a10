import { expect } from '@playwright/test'
import { encodeFunctionData, erc20Abi, parseEther, toHex } from 'viem'
import { readArtifact } from '../../../contracts/artifact.ts'
import { pressFor, requestWindow } from '../../../dev/browser/popupPage.ts'
import type { Address } from '../../../src/domain/token/token.ts'
import { connect, openSite, reject, request, test } from '../../helpers/e2e/pages.ts'

// A contract that pays until its owner flips a bit, which happens while the window is open.

const { abi, bytecode } = readArtifact('Turncoat')

test('asks again when the outcome is worse than shown, and requires the checkbox without a simulation', async ({
  chrome: { context },
  wallet: { address },
  localnet,
  site,
}) => {
  const { client, tokens } = localnet
  const hash = await client.deployContract({ abi, bytecode, args: [] } as never)
  const shop = (await client.receiptOf(hash)).contractAddress?.toLowerCase() as Address
  await client.writeContractSync({
    address: tokens.USDC,
    abi: erc20Abi,
    functionName: 'transfer',
    args: [shop, 9_000_000_000n],
  })
  const page = await openSite(context, site.url, localnet.rpcUrl)
  await connect(context, page)

  const data = encodeFunctionData({ abi, functionName: 'buy', args: [tokens.USDC, 3_000_000_000n] })
  const asked = request(page, 'eth_sendTransaction', [
    { from: address, to: shop, data, value: toHex(parseEther('1')) },
  ])
  const window = await requestWindow(context)
  const changes = window.getByRole('heading', { name: 'Estimated changes' }).locator('~ *').first()
  await expect(changes).toContainText('USDC')
  const flip = { address: shop, abi, functionName: 'flip', args: [false], gas: 100_000n }
  await client.writeContractSync(flip as never)
  // The new preview may still warn of the earlier result.
  const changed = window.getByRole('alert').filter({ hasText: 'The outcome has changed since you saw it.' })
  await pressFor(window.getByRole('button', { name: 'Confirm', exact: true }), changed)
  await expect(window.getByText('3,000', { exact: false })).toHaveCount(0)
  await reject(window)
  expect((await asked).error).toMatchObject({ code: 4001 })
  expect(await client.getTransactionCount({ address })).toBe(0)

  // Emits empty logs until 50,000 gas are left: more than the wallet reads.
  const scribe: Address = `0x${'b2'.repeat(20)}`
  await client.setCode({ address: scribe, bytecode: '0x5b5f5fa05a6200c3501060005700' })
  const askHeavy = async () => {
    const answer = request(page, 'eth_sendTransaction', [
      { from: address, to: scribe, gas: toHex(15_000_000) },
    ])
    return { answer, window: await requestWindow(context) }
  }
  let heavy = await askHeavy()
  const tooMuch = () => heavy.window.getByText('More event logs than the wallet can read').first()
  const late = () => heavy.window.getByText('timed out').first()
  await tooMuch().or(late()).first().waitFor()
  // Retries when an overloaded machine's RPC timed out.
  for (let tries = 0; tries < 10 && (await late().isVisible()); tries++) {
    await reject(heavy.window)
    await heavy.answer
    heavy = await askHeavy()
    await tooMuch().or(late()).first().waitFor()
  }
  await expect(tooMuch()).toBeVisible()
  const send = heavy.window.getByRole('button', { name: 'Send without simulation', exact: true })
  await expect(send).toBeDisabled()
  await heavy.window.getByRole('checkbox', { name: 'I accept the risk to all my assets.' }).check()
  await expect(send).toBeEnabled()
  await reject(heavy.window)
  expect((await heavy.answer).error).toMatchObject({ code: 4001 })
})
