import { describe, expect, it } from 'vitest'
import { nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { WalletError } from '../../../src/errors.ts'
import type { OwnAccount } from '../../../src/protocol.ts'
import type { SendState } from '../../../src/state/send/send.ts'
import { sendAction, validateSend } from '../../../src/ui/send/primaryAction.ts'
import { account as address, friend } from '../../helpers/samples/activitySamples.ts'
import { eth, local, usdc } from '../../helpers/state/fakes.ts'

const account: OwnAccount = { address, name: 'Account 1', isHidden: false, kind: 'seed' }
const form: SendState = {
  chainId: local.chainId,
  account: address,
  token: usdc,
  text: '1,5',
  isMost: false,
  most: undefined,
  to: friend,
  recipient: { kind: 'known', address: friend, isContract: undefined },
  stage: { at: 'form' },
}
const balances = { [nativeTokenAddress]: 10n ** 18n, [usdc.address]: 2_000_000n }

const act = (changes: Partial<SendState> = {}, more: Partial<Parameters<typeof sendAction>[0]> = {}) =>
  sendAction({ network: local, account, form: { ...form, ...changes }, balances, mark: ',', ...more })

describe('sendAction', () => {
  it('reviews the typed amount, read with the given decimal mark', () => {
    expect(act()).toEqual({
      label: 'Review',
      does: 'review',
      plan: {
        chainId: local.chainId,
        account: address,
        token: usdc,
        to: friend,
        amount: 1_500_000n,
        speed: 'normal',
      },
    })
  })

  it('plans the maximum as “most” and keeps the name of the recipient', () => {
    const name = {
      status: 'found',
      name: 'bob.eth',
      address: friend,
      isChanged: false,
      isForeign: false,
    } as const
    expect(
      act({
        isMost: true,
        text: '',
        recipient: { kind: 'known', address: friend, name, isContract: undefined },
      }),
    ).toMatchObject({
      does: 'review',
      plan: { amount: 'most', name: 'bob.eth' },
    })
  })

  it.each<[string, Partial<SendState>]>([
    ['Select a token to send', { token: undefined }],
    ['Enter an amount', { text: '' }],
    ['Enter an amount', { text: '0' }],
    ['Invalid amount', { text: '1.234' }],
    ['Invalid amount', { text: '1,2345678' }],
    ['Not enough USDC', { text: '2,000001' }],
    ['Not enough ETH for the network fee', { token: eth, isMost: true, most: null }],
    ['Enter a recipient', { recipient: { kind: 'empty' } }],
    ['Check the recipient', { recipient: { kind: 'mistyped' } }],
    ['Looking up the name…', { recipient: { kind: 'looking', text: 'bob.eth' } }],
  ])('shows “%s” and offers no action', (label, changes) => {
    expect(act(changes)).toEqual({ label, does: undefined })
  })

  it('reports a zero balance, or no native token for the fee', () => {
    expect(act({ isMost: true }, { balances: { ...balances, [usdc.address]: 0n } }).label).toBe(
      'No USDC balance',
    )
    expect(act({}, { balances: { ...balances, [nativeTokenAddress]: 0n } }).label).toBe(
      'No ETH for the network fee',
    )
  })

  it('offers the review when the balance is unknown', () => {
    expect(act({}, { balances: {} }).does).toBe('review')
  })

  it('reports an unreachable RPC, but offers the review when the RPC timed out', () => {
    const away = new WalletError('node-unreachable', 'Nobody is there.')
    expect(act({}, { balanceError: away })).toEqual({ label: 'Can’t reach the RPC', does: undefined })
    expect(act({ isMost: true }, { balances: {}, balanceError: away }).does).toBeUndefined()
    const slow = new WalletError('node-timeout', 'It takes its time.')
    expect(act({}, { balanceError: slow }).does).toBe('review')
  })

  it('reports a watch-only account, and offers the setup of a network without an RPC', () => {
    expect(act({}, { account: { ...account, kind: 'watched' } })).toEqual({
      label: 'Watch-only: can’t send',
      does: undefined,
    })
    expect(act({}, { network: { ...local, rpcUrl: '' } }).does).toBe('set-up')
  })
})

it('validateSend returns an error for an invalid amount, but none for an empty one or the maximum', () => {
  expect(validateSend({ ...form, text: '1.234' }, ',')).toMatch(/\.$/)
  expect(validateSend({ ...form, text: '' }, ',')).toBeUndefined()
  expect(validateSend({ ...form, text: 'x', isMost: true }, ',')).toBeUndefined()
})
