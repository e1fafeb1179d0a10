import { maxUint256, parseEther } from 'viem'
import { beforeAll, describe, expect, it } from 'vitest'
import { ownRouter } from '../../../../src/domain/swap/routers.ts'
import type { Address } from '../../../../src/domain/token/token.ts'
import { approve, call, dollars, late, useHonestStage } from '../../../helpers/background/honestStage.ts'
import type { Asked } from '../../../helpers/background/riskStage.ts'

const { stage, made, found, ask, teach, installAt, account, tokens } = useHonestStage()

/** Missing on localnet. */
const knownRouter: Address = '0x7a250d5630b4cf539739df2c5dacb4c659f2488d'
/** Another contract is put here. */
const replacedRouter: Address = '0x68b3465833fb72a70ecdf485e0e4c7bd8665fc45'
const ours = ownRouter(31337)?.address as Address

beforeAll(async () => {
  await installAt(replacedRouter)
  await installAt(ours)
}, 240_000)

const swapAt = (to: Address) => ({
  to,
  value: parseEther('5'),
  data: call(
    'swapExactETHForTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline) payable',
    [dollars('14900'), [tokens().WETH, tokens().USDC], account(), late],
  ),
})

async function expectRefused(asked: Asked): Promise<void> {
  const { client } = stage.localnet
  const nonce = await client.getTransactionCount({ address: made.browser.account })
  await expect(asked.approve([])).rejects.toMatchObject({ code: 'stale-review' })
  expect(await client.getTransactionCount({ address: made.browser.account })).toBe(nonce)
  await asked.reject()
}

describe('swap at a known router', () => {
  it('requires acknowledgement when no contract exists at the address', async () => {
    const asked = await ask(swapAt(knownRouter))
    expect(asked.status).toBe('succeeds')
    expect(asked.ticks).toEqual([`below-minimum ${tokens().USDC}`, 'unknown-router'])
    expect(asked.risks).toContainEqual({
      kind: 'below-minimum',
      buy: tokens().USDC,
      received: 0n,
      promised: dollars('14900'),
      isGrave: true,
    })
    await expectRefused(asked)
  })

  it.each([
    ['nothing', 0n],
    ['less than its minimum', dollars('14899')],
  ])('requires acknowledgement when the contract pays %s', async (_name, given) => {
    await teach(replacedRouter, swapAt(replacedRouter).data, { gives: tokens().USDC, given })
    const asked = await ask(swapAt(replacedRouter))
    expect(asked.risks).toContainEqual(
      expect.objectContaining({ kind: 'below-minimum', received: given, isGrave: true }),
    )
    await expectRefused(asked)
  })

  it('requires no acknowledgement when the contract pays the minimum', async () => {
    await teach(replacedRouter, swapAt(replacedRouter).data, {
      gives: tokens().USDC,
      given: dollars('14900'),
    })
    const asked = await ask(swapAt(replacedRouter))
    expect(asked.ticks).toEqual([])
    await asked.reject()
  })

  it('requires acknowledgement when the code at the wallet’s own router address is not the expected one', async () => {
    await teach(ours, swapAt(ours).data, { gives: tokens().USDC, given: dollars('14900') })
    const asked = await ask(swapAt(ours))
    expect(asked.ticks).toEqual(['unknown-router'])
    await expectRefused(asked)
  })
})

describe('unlimited allowance for a known router', () => {
  it.each<[string, () => Address]>([
    ['no contract stands at the address', () => knownRouter],
    ['other code stands at our own router’s address', () => ours],
  ])('requires acknowledgement when %s', async (_name, spender) => {
    const asked = await ask(approve(tokens().USDC, spender(), maxUint256))
    expect(asked.ticks).toEqual([expect.stringMatching(/^beyond-balance /)])
    await expectRefused(asked)
  })

  it('requires no acknowledgement when the router exists', async () => {
    const asked = await ask(approve(tokens().USDC, replacedRouter, maxUint256))
    expect(asked.ticks).toEqual([])
    await asked.reject()
    expect(found.venue).not.toBe(replacedRouter)
  })
})
