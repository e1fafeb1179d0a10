import { expect, it } from 'vitest'
import { readStatus } from '../../../src/background/transactions/readStatus.ts'
import type { Chain } from '../../../src/evm/client.ts'

const account = `0x${'a1'.repeat(20)}` as const
const hash = `0x${'b2'.repeat(32)}` as const
const older = `0x${'c3'.repeat(32)}` as const
const step = {
  kind: 'call',
  state: 'sent',
  nonce: 4,
  raw: '0x02',
  hash,
  deadline: 0,
  fee: 0n,
  rivals: [
    { raw: '0x01', hash: older },
    { raw: '0x02', hash },
  ],
} as const

/** One is silent as `misses` says, request by request. */
function nodes(
  said: Partial<Chain>,
  misses: Partial<Record<'receipt' | 'transaction' | 'nonces', number[]>>,
) {
  let missing = 0
  const asked = { receipt: 0, transaction: 0, nonces: 0 }
  const miss = (what: keyof typeof asked) => {
    missing += misses[what]?.[asked[what]++] ?? 0
  }
  return {
    missedAnswers: async () => missing,
    receipt: async () => miss('receipt'),
    async transaction(of: typeof hash) {
      miss('transaction')
      return said.transaction?.(of)
    },
    async nonces(of: typeof account) {
      miss('nonces')
      return said.nonces?.(of) ?? { mined: 4, pending: 4 }
    },
  } as unknown as Chain
}

const sight = (chain: Chain) => readStatus(chain, account, { ...step, rivals: [...step.rivals] }, 3)

it('reports a certain status when all RPCs answered every request', async () => {
  expect(await sight(nodes({}, {}))).toEqual({ seen: 'nothing', isSure: true, isHeard: true })
  const pending = nodes({ transaction: async () => 'pending' }, {})
  expect(await sight(pending)).toEqual({ seen: 'pending', hash, isSure: true })
  const used = nodes({ nonces: async () => ({ mined: 5, pending: 5 }) }, {})
  expect(await sight(used)).toEqual({ seen: 'replaced', isSure: true, isHeard: true })
})

it.each<[string, Parameters<typeof nodes>[1]]>([
  ['receipt of the newest', { receipt: [1] }],
  ['receipt of an older one', { receipt: [0, 1] }],
  ['receipt of the newest, when looked at again', { receipt: [0, 0, 1] }],
  ['transaction of the newest', { transaction: [1] }],
  ['count', { nonces: [1] }],
])('reports an uncertain status when one RPC leaves the request for the %s unanswered', async (_, misses) => {
  const used = nodes({ nonces: async () => ({ mined: 5, pending: 5 }) }, misses)
  expect(await sight(used)).toMatchObject({ seen: 'replaced', isSure: false })
})

it.each<[string, boolean, Parameters<typeof nodes>[1]]>([
  ['was silent all the time', true, { receipt: [1, 1, 1, 1], transaction: [1, 1], nonces: [2] }],
  ['was silent about the number alone', true, { nonces: [2] }],
  ['counts, and was silent about the block', false, { receipt: [1, 1, 1, 1], transaction: [1, 1] }],
  ['counts, and was silent when looked at again', false, { receipt: [0, 0, 1] }],
])(
  'tells whether the RPCs that returned a nonce also answered about the block: one %s',
  async (_, isHeard, misses) => {
    const used = nodes({ nonces: async () => ({ mined: 5, pending: 5 }) }, misses)
    expect(await sight(used)).toEqual({ seen: 'replaced', isSure: false, isHeard })
  },
)

it('reports a mined transaction without a receipt as pending and uncertain', async () => {
  const odd = nodes({ transaction: async () => 'mined' }, {})
  expect(await sight(odd)).toEqual({ seen: 'pending', hash, isSure: false })
})
