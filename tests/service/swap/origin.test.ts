import { concat, erc20Abi, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nativeTokenAddress } from '../../../service/tokens/registry.ts'
import { type Query, type Running, startRunning } from '../../helpers/service/runService.ts'

let running: Running

const account = '0x00000000000000000000000000000000000acc01'
/** Accepts native tokens only from transactions of `owner`. */
const picky = '0x0000000000000000000000000000000000091c01'
let owner: Hex
let other: Hex

beforeAll(async () => {
  running = await startRunning()
  const { localnet, chain } = running
  owner = localnet.accounts[0]!.address
  other = localnet.accounts[1]!.address
  await localnet.fund(account)
  await localnet.client.setCode({ address: account, bytecode: '0x00' })
  await chain.approve(localnet.tokens.USDC, account)
  // if origin == owner go to 29; revert; 29: stop
  const code = concat(['0x3273', owner, '0x14601d575f5ffd5b00'])
  await localnet.client.setCode({ address: picky, bytecode: code })
})
afterAll(() => running.stop())

function swap(query: Query) {
  const { USDC } = running.localnet.tokens
  return running.ask('swap', {
    ...{
      src: USDC,
      dst: nativeTokenAddress,
      amount: '1000000',
      from: account,
      receiver: picky,
      slippage: '1',
    },
    ...query,
  })
}

describe('origin', () => {
  it('starts the simulated transaction', async () => {
    expect((await swap({ origin: owner })).status).toBe(200)
    const { status, body } = await swap({ origin: other })
    expect(status).toBe(400)
    expect(body.code).toBe('ESTIMATION_FAILED')
  })

  it('accepts an origin that is the caller itself', async () => {
    const { body } = await swap({ origin: account })
    expect(body.code).toBe('ESTIMATION_FAILED')
    const { status } = await swap({ origin: account, receiver: account })
    expect(status).toBe(200)
  })

  it('changes neither the received amount nor the payer of a sold native token', async () => {
    const sale = {
      src: nativeTokenAddress,
      dst: running.localnet.tokens.USDC,
      amount: String(10n ** 18n),
      receiver: other,
    }
    const [direct, begun] = await Promise.all([
      swap({ ...sale, origin: account }),
      swap({ ...sale, origin: owner }),
    ])
    expect(begun.status).toBe(200)
    expect(begun.body.dstAmount).toBe(direct.body.dstAmount)
    expect(begun.body.tx).toMatchObject({ from: account, value: sale.amount })
    expect(begun.body.tx.gas).toBeGreaterThan(direct.body.tx.gas)

    const poor = { ...sale, amount: String(10n ** 24n) }
    expect((await swap({ ...poor, origin: owner })).body.code).toBe('NOT_ENOUGH_BALANCE')
  })

  it('answers ESTIMATION_FAILED when the sold token is itself the caller', async () => {
    const { USDC, WETH } = running.localnet.tokens
    const query = { src: USDC, dst: WETH, from: USDC, receiver: owner, origin: owner, forceApprove: 'true' }
    expect((await swap(query)).body.code).toBe('NOT_ENOUGH_BALANCE')
    await running.localnet.client.writeContractSync({
      ...{ address: USDC, abi: erc20Abi, functionName: 'transfer', args: [USDC, 1_000_000n] },
    })
    await running.engine.refresh()
    // The simulation's forwarder replaces the token's code.
    expect((await swap(query)).body.code).toBe('ESTIMATION_FAILED')
  })

  it('reports why a simulation fails when origin and caller differ', async () => {
    const { DTT, USDC } = running.localnet.tokens
    await running.chain.approve(DTT, account)
    const { body } = await swap({ src: DTT, dst: USDC, amount: String(10n ** 18n), origin: owner })
    expect(body.code).toBe('ESTIMATION_FAILED')
    expect(body.description).toContain('charges a fee on transfer')
  })
})
