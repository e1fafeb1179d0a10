import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import { gasReserve } from '../../../src/background/fees/gasReserve.ts'
import { createChain } from '../../../src/evm/client.ts'
import { local } from '../../helpers/state/fakes.ts'

describe('gasReserve', () => {
  const chain = {
    fees: async () => ({ maxFeePerGas: 10n, maxPriorityFeePerGas: 1n }),
    l1Fee: async (bytes: number) => BigInt(bytes) * 3n,
    estimateGas: async () => 21_000n,
  }

  it('includes 35% more gas than used, and the L1 fee', async () => {
    expect(await gasReserve(chain, 100_000n)).toBe(200_000n * 10n + 1_400n * 3n)
  })

  it('covers an approval and a long route when the gas is unknown', async () => {
    expect(await gasReserve(chain)).toBe(1_400_000n * 10n + 1_400n * 3n)
  })
})

describe('gasReserve on a chain with a different gas unit', () => {
  const fees = async () => ({ maxFeePerGas: 10n, maxPriorityFeePerGas: 1n })
  const l1Fee = async () => 0n

  it('scales with the estimate of a plain transfer, or uses the gas of the quote when it is higher', async () => {
    const chain = { fees, l1Fee, estimateGas: async () => 269_580_441n }
    expect(await gasReserve(chain, 200_000n)).toBe(2n * 12n * 269_580_441n * 10n)
    expect(await gasReserve(chain, 5_000_000_000n)).toBe(10_000_000_000n * 10n)
  })

  it('uses the gas of the quote when the estimate fails', async () => {
    const chain = { fees, l1Fee, estimateGas: () => Promise.reject(new Error('No.')) }
    expect(await gasReserve(chain, 100_000n)).toBe(2_000_000n)
  })
})

describe('gasReserve with a real RPC', () => {
  let localnet: Localnet
  beforeAll(async () => {
    localnet = await createLocalnet()
  })
  afterAll(() => localnet?.stop())

  it('uses maxFeePerGas, and on a rollup adds the L1 fee of the oracle plus 25%', async () => {
    const network = { ...local, rpcUrl: localnet.rpcUrl }
    const chain = createChain(network)
    const { maxFeePerGas } = await chain.fees()
    expect(await gasReserve(chain, 100_000n)).toBe(200_000n * maxFeePerGas)

    // 1,000 wei per byte: multiplies the first word after the selector.
    const oracle = '0x420000000000000000000000000000000000000f'
    await localnet.client.setCode({ address: oracle, bytecode: '0x6004356103e80260005260206000f3' })
    const rollup = createChain({ ...network, rollup: 'op' })
    expect(await gasReserve(rollup, 100_000n)).toBe(200_000n * maxFeePerGas + 1_750_000n)
  })
})
