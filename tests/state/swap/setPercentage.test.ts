import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { WalletError } from '../../../src/errors.ts'
import { dai, local, pending } from '../../helpers/state/fakes.ts'
import { popup } from '../../helpers/state/popup.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

describe('setPercentage', () => {
  it('keeps a fee reserve of the native token, from the RPC or by default', async () => {
    let reserve: () => Promise<bigint> = async () => 10n ** 17n
    const asked: number[] = []
    const stores = await popup({
      balances: async () => ({ [nativeTokenAddress]: 10n ** 18n }),
      gasReserve(chainId) {
        asked.push(chainId)
        return reserve()
      },
    })
    await stores.setPercentage(100)
    expect(stores.trade.getState()).toMatchObject({ text: '0.9', kept: 10n ** 17n })
    reserve = () => Promise.reject(new WalletError('node-timeout', 'No answer.'))
    await stores.setPercentage(100)
    expect(stores.trade.getState()).toMatchObject({ text: '0.99', kept: 10n ** 16n })
    expect(asked).toEqual([local.chainId, local.chainId])
    stores.stop()
  })

  it('sells the whole balance of any other token without a fee reserve', async () => {
    const stores = await popup({ balances: async () => ({ [dai.address]: 5n * 10n ** 18n }) })
    stores.trade.setSell(dai)
    await stores.setPercentage(100)
    expect(stores.trade.getState()).toMatchObject({ text: '5', kept: undefined })
    stores.stop()
  })

  it('reserves the fee for the gas of the current quote', async () => {
    const asked: unknown[] = []
    const stores = await popup({
      balances: async () => ({ [nativeTokenAddress]: 10n ** 18n }),
      async gasReserve(...of) {
        asked.push(of)
        return 1n
      },
    })
    stores.trade.setText('0.5')
    await stores.setPercentage(100)
    stores.trade.setText('0.5')
    await vi.advanceTimersByTimeAsync(300)
    await stores.setPercentage(100)
    expect(asked).toEqual([
      [local.chainId, undefined],
      [local.chainId, 150_000n],
    ])
    stores.stop()
  })

  it.each([
    ['more', 10n ** 17n, '0.9'],
    ['less', 10n ** 15n, '0.999'],
  ])('reserves %s once, as the first quote needs', async (_, needed, text) => {
    const reserves = new Map([
      [undefined, 10n ** 16n],
      [150_000n, needed],
    ])
    const asked: unknown[] = []
    const stores = await popup({
      balances: async () => ({ [nativeTokenAddress]: 10n ** 18n }),
      async gasReserve(_chainId, gas) {
        asked.push(gas)
        return reserves.get(gas) as bigint
      },
    })
    await stores.setPercentage(100)
    expect(stores.trade.getState()).toMatchObject({ text: '0.99', kept: 10n ** 16n })
    await vi.advanceTimersByTimeAsync(300)
    expect(stores.trade.getState()).toMatchObject({ text, kept: needed })
    reserves.set(150_000n, 2n * 10n ** 17n)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(stores.trade.getState()).toMatchObject({ text, kept: needed })
    expect(asked).toEqual([undefined, 150_000n])
    stores.stop()
  })

  it('leaves an amount that was typed before the first quote', async () => {
    const stores = await popup({
      balances: async () => ({ [nativeTokenAddress]: 10n ** 18n }),
      gasReserve: async (_chainId, gas) => (gas === undefined ? 10n ** 16n : 10n ** 17n),
    })
    await stores.setPercentage(100)
    stores.trade.setText('0.95')
    await vi.advanceTimersByTimeAsync(300)
    expect(stores.trade.getState()).toMatchObject({ text: '0.95', kept: undefined })
    stores.stop()
  })

  it('does not overwrite an amount that was typed before the reserve was known', async () => {
    const slow = pending<bigint>()
    const stores = await popup({
      balances: async () => ({ [nativeTokenAddress]: 5n }),
      gasReserve: () => slow.promise,
    })
    const done = stores.setPercentage(100)
    stores.trade.setText('7')
    slow.resolve(1n)
    await done
    expect(stores.trade.getState().text).toBe('7')
    stores.stop()
  })

  it('applies the share that was pressed last', async () => {
    const answers = [pending<bigint>(), pending<bigint>()]
    let asked = 0
    const stores = await popup({
      balances: async () => ({ [nativeTokenAddress]: 10n ** 18n }),
      gasReserve: () => answers[asked++]!.promise,
    })
    const both = [stores.setPercentage(100), stores.setPercentage(50)]
    answers[0]!.resolve(1n)
    await both[0]
    answers[1]!.resolve(1n)
    await both[1]
    expect(stores.trade.getState().text).toBe('0.5')
    stores.stop()
  })

  it('does not change another token that was chosen before the reserve was known', async () => {
    const slow = pending<bigint>()
    const stores = await popup({
      balances: async () => ({ [nativeTokenAddress]: 5n }),
      gasReserve: () => slow.promise,
    })
    const done = stores.setPercentage(100)
    stores.trade.setSell(dai)
    slow.resolve(1n)
    await done
    expect(stores.trade.getState().text).toBe('')
    stores.stop()
  })
})
