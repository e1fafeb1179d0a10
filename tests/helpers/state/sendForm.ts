import type { TransferPreview, TransferRequest } from '../../../src/domain/activity/transfer.ts'
import { type Address, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import type { WalletApi } from '../../../src/protocol.ts'
import { systemClock } from '../../../src/state/clock.ts'
import { createSend } from '../../../src/state/send/send.ts'
import type { SendPlan } from '../../../src/state/send/sendPlan.ts'
import { account, dai, friend, sending, swap, transfer } from '../samples/activitySamples.ts'
import { eth, standInSession, standInWallet, usdc } from './fakes.ts'

const speed = { networkFee: 21_000n, expectedFee: 21_000n, maxFeePerGas: 1n, maxPriorityFeePerGas: 1n }
export const preview: TransferPreview = {
  gas: 21_000n,
  expectedGas: 21_000n,
  baseFeePerGas: 1n,
  expectedFee: 21_000n,
  networkFee: 21_000n,
  speeds: { slow: speed, normal: speed, fast: { ...speed, maxFeePerGas: 3n } },
  l1Fee: 0n,
  feeCap: 31_500n,
  simulation: { status: 'succeeds', changes: [], grants: [] },
}
export const plan: SendPlan = {
  chainId: 31337,
  account,
  token: usdc,
  to: friend,
  amount: 5n,
  speed: 'normal',
}

export let tried: TransferRequest[]
export let sent: (TransferRequest & { id: string; feeCap: bigint })[]

export function openSendForm(methods: Partial<WalletApi> = {}, session = standInSession()) {
  tried = []
  sent = []
  const wallet = standInWallet({
    async previewTransfer(ask) {
      tried.push(ask)
      return preview
    },
    async send(ask) {
      sent.push(ask)
      return sending()
    },
    balances: async () => ({ [nativeTokenAddress]: 100_000n, [usdc.address]: 77n }),
    isContract: async () => false,
    call: async () => uint(usdc.decimals),
    callBatch: async () => undefined,
    swaps: async () => [swap({}, { receiver: dai })],
    callBatches: async () => [transfer],
    ...methods,
  })
  return createSend(wallet, systemClock(), session)
}

export const uint = (number: number) => `0x${number.toString(16).padStart(64, '0')}`

const read = async (address: Address) => [eth, usdc].find((one) => one.address === address)
export const opening = { chainId: 31337, account, coin: eth, wanted: undefined, read }
