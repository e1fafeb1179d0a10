import { describe, expect, it } from 'vitest'
import type {
  AllowanceChange,
  BalanceChange,
  Simulation,
} from '../../../../src/domain/activity/simulation.ts'
import type { DecodedCall } from '../../../../src/domain/calldata/decodedCall.ts'
import type { CallFacts } from '../../../../src/domain/dapp/callFacts.ts'
import { callRisks, neededFacts } from '../../../../src/domain/dapp/risks/callRisks.ts'
import { keysToAcknowledge, riskKey } from '../../../../src/domain/dapp/risks/risk.ts'
import { type Address, nativeTokenAddress } from '../../../../src/domain/token/token.ts'
import { usdc } from '../../../helpers/state/fakes.ts'

const [account, other, dai, weth, router] = ['a1', 'b2', 'c3', 'e5', 'd4'].map(
  (byte): Address => `0x${byte.repeat(20)}`,
) as [Address, Address, Address, Address, Address]
const tokenAt = (address: Address) => ({ ...usdc, address })
const change = (address: Address, amount: bigint, nft?: bigint): BalanceChange => ({
  token: tokenAt(address),
  amount,
  ...(nft !== undefined && { nft }),
})
const simulated = (changes: BalanceChange[], grants: AllowanceChange[] = []): Simulation => ({
  status: 'succeeds',
  changes,
  grants,
})
const facts = (more: Partial<CallFacts> = {}): CallFacts => ({ account, wrapped: [weth], ...more })
const approve = (amount: bigint, spender = other): DecodedCall => ({
  kind: 'approve',
  token: dai,
  spender,
  amount,
  warnings: spender === router ? [] : ['unknown-spender'],
})
const unknown: DecodedCall = {
  kind: 'unknown',
  to: other,
  selector: '0x12345678',
  bytes: 4,
  value: 0n,
  warnings: [],
}
const itemAndAmount = () =>
  simulated(
    [],
    [
      { token: tokenAt(dai), spender: other, amount: 1n, nft: 5n },
      { token: tokenAt(dai), spender: other, amount: 2n ** 200n },
    ],
  )
const graves = (...asked: Parameters<typeof callRisks>) =>
  callRisks(...asked)
    .filter(({ isGrave }) => isGrave)
    .map(({ kind }) => kind)

describe('allowances', () => {
  it('reports a grave risk for an unknown spender while the balance is unknown, but not for a router', () => {
    expect(graves([approve(1n)], facts())).toEqual(['beyond-balance'])
    expect(callRisks([approve(1n, router)], facts())).toEqual([])
    expect(callRisks([approve(2n ** 256n - 1n, router)], facts())).toMatchObject([{ isGrave: false }])
  })

  it('reports undeclared allowances beyond the balance unless they existed before', () => {
    const grants = [{ token: tokenAt(dai), spender: router, amount: 50n }]
    const simulation = simulated([], grants)
    const balances = { [dai]: 40n }
    expect(callRisks([unknown], facts({ simulation, balances }))).toMatchObject([
      { kind: 'beyond-balance', isHidden: true, isGrave: true },
    ])
    expect(graves([unknown], facts({ simulation, balances: { [dai]: 50n } }))).toEqual([])
    // Some tokens log the remaining allowance on use.
    const allowances = [{ token: dai, spender: router, amount: 90n }]
    expect(graves([unknown], facts({ simulation, balances, allowances }))).toEqual([])
    const all = simulated([], [{ token: tokenAt(dai), spender: router, amount: 'all' }])
    expect(callRisks([unknown], facts({ simulation: all, balances }))).toMatchObject([
      { kind: 'beyond-balance', isHidden: true, isCollection: true, isGrave: true },
    ])
  })

  it('marks allowances of a whole collection', () => {
    const all: DecodedCall = {
      kind: 'approve-all',
      collection: dai,
      operator: other,
      approved: true,
      warnings: ['unknown-spender'],
    }
    expect(callRisks([all], facts({ balances: { [dai]: 0n } }))).toContainEqual(
      expect.objectContaining({ kind: 'beyond-balance', isCollection: true, isGrave: true }),
    )
    const amount = callRisks([approve(2n ** 256n - 1n)], facts())
    expect(amount.filter((one) => 'isCollection' in one)).toEqual([])
  })

  it('reports undeclared allowances beside declared ones of the same token and spender', () => {
    const lent: DecodedCall = {
      ...(approve(1n) as Extract<DecodedCall, { kind: 'approve' }>),
      until: 2_000_000_000n,
    }
    const all: DecodedCall = {
      kind: 'approve-all',
      collection: dai,
      operator: router,
      approved: true,
      warnings: [],
    }
    const raised = (spender: Address) => simulated([], [{ token: tokenAt(dai), spender, amount: 2n ** 200n }])
    const balances = { [dai]: 100n }
    expect(callRisks([lent, unknown], facts({ simulation: raised(other), balances }))).toContainEqual(
      expect.objectContaining({ kind: 'beyond-balance', spender: other, isHidden: true, isGrave: true }),
    )
    expect(
      callRisks([approve(5n), unknown], facts({ simulation: itemAndAmount(), balances })),
    ).toContainEqual(
      expect.objectContaining({ kind: 'beyond-balance', spender: other, isHidden: true, isGrave: true }),
    )
    expect(callRisks([all, unknown], facts({ simulation: raised(router), balances }))).toContainEqual(
      expect.objectContaining({ kind: 'beyond-balance', spender: router, isHidden: true, isGrave: true }),
    )
  })

  it('does not compare the allowance of a single item with a balance', () => {
    const item = 10n ** 30n
    const simulation = simulated([], [{ token: tokenAt(dai), spender: other, amount: 1n, nft: item }])
    expect(graves([approve(item)], facts({ simulation, balances: { [dai]: 3n } }))).toEqual([])
  })
})

describe('exchanges', () => {
  const sold = [change(dai, -1_000n)]
  const price =
    (rate: bigint) =>
    ({ amount }: { amount: bigint }) =>
      amount * rate

  it('reports a loss when the received value is below 90 % of the sold value', () => {
    const tell = (changes: BalanceChange[], rate?: bigint) =>
      callRisks([unknown], facts({ simulation: simulated(changes), ...(rate && { returns: price(rate) }) }))
    expect(tell([...sold, change(other, 900n)], 1n)).toEqual([])
    expect(tell([...sold, change(other, 899n)], 1n)).toMatchObject([
      { kind: 'loss', received: 899n, expected: 1_000n },
    ])
    expect(tell([...sold, change(other, 1n), change(nativeTokenAddress, 1n)], 1n)).toMatchObject([
      { kind: 'loss' },
    ])
    expect(tell([...sold, change(other, 1n)])).toEqual([{ kind: 'unpriced', isGrave: false }])
  })

  it('reports a grave risk when too many tokens change to be priced', () => {
    const dust = (count: number) =>
      Array.from({ length: count }, (_, index) =>
        change(`0x${(index + 1).toString(16).padStart(40, '0')}`, 1n),
      )
    const tell = (count: number) =>
      callRisks([unknown], facts({ simulation: simulated([...sold, ...dust(count)]), returns: price(1n) }))
    expect(tell(19)).toMatchObject([{ kind: 'loss', received: 19n }])
    expect(tell(20)).toEqual([{ kind: 'unpriced', isGrave: true }])
    expect(callRisks([unknown], facts({ simulation: simulated(dust(30)) }))).toEqual([])
  })

  it('reports a grave risk when only a trifle without a price arrives for something with one', () => {
    const units = (address: Address, amount: bigint, decimals: number): BalanceChange => ({
      token: { ...tokenAt(address), decimals },
      amount,
    })
    const [paid, ether] = [units(nativeTokenAddress, -5n * 10n ** 18n, 18), 10n ** 18n]
    const returns: CallFacts['returns'] = ({ sell, buy, amount }) =>
      sell === other || buy === other ? undefined : amount
    const tell = (...changes: BalanceChange[]) =>
      callRisks([unknown], facts({ simulation: simulated(changes), returns })).map(({ kind, isGrave }) => [
        kind,
        isGrave,
      ])
    const tick = [['unpriced', true]]
    const note = [['unpriced', false]]
    expect(tell(paid, units(other, 1n, 18))).toEqual(tick)
    expect(tell(paid, units(other, 49_999n, 6))).toEqual(tick)
    expect(tell(paid, units(other, 50_000n, 6))).toEqual(note)
    expect(tell(paid, units(other, 4n * ether, 18))).toEqual(note)
    // Beside a fair return it does not count; beside an unfair one it hides nothing.
    expect(tell(paid, units(other, 1n, 18), units(dai, 5n * ether, 18))).toEqual([])
    expect(tell(paid, units(other, 1n, 18), units(dai, ether, 18))).toEqual([['loss', true]])
    // A share without a price leaves.
    const share = units(other, -5n * ether, 18)
    expect(tell(share, units(dai, 1n, 18))).toEqual(note)
    expect(tell(share, paid, units(weth, 1n, 18))).toEqual(note)
  })

  it('reports a grave risk when an undecoded call returns an unlisted token without an oracle price', () => {
    const unlisted: BalanceChange = { token: { ...tokenAt(other), listed: false }, amount: 1n }
    const tell = (calls: DecodedCall[], more: Partial<CallFacts> = {}) =>
      callRisks(calls, facts({ simulation: simulated([...sold, unlisted]), ...more }))
    const doubtful = { kind: 'doubtful-token', token: other, isGrave: true }
    const note = { kind: 'unpriced', isGrave: false }
    expect(tell([unknown])).toEqual([doubtful])
    expect(tell([unknown], { listed: [other] })).toEqual([note])
    const priced =
      (source: 'oracle' | 'pool'): NonNullable<CallFacts['returns']> =>
      ({ sell }, only) =>
        sell === other && (only === undefined || only === source) ? 1n : undefined
    expect(tell([unknown], { returns: priced('oracle') })).toEqual([note])
    expect(tell([unknown], { returns: priced('pool') })).toEqual([doubtful])
    expect(tell([approve(5n, router)])).toEqual([note])
    expect(callRisks([unknown], facts({ simulation: simulated([unlisted]) }))).toEqual([])
  })

  it('reports a token that imitates a well-known one, listed or not', () => {
    const real = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
    const network = { chainId: 1, coin: { symbol: 'ETH', name: 'Ether' } }
    const tell = (symbol: string, address: Address, more: Partial<BalanceChange['token']> = {}) =>
      callRisks(
        [unknown],
        facts({
          network: network as CallFacts['network'] & object,
          simulation: simulated([
            ...sold,
            { token: { ...tokenAt(address), symbol, ...more }, amount: 1_000n },
          ]),
          returns: price(1n),
        }),
      )
    const imitation = { kind: 'imitation', token: other, original: real, isGrave: true }
    expect(tell('USDC', other)).toEqual([imitation])
    expect(tell('UЅDC', other, { listed: false })).toEqual([imitation])
    expect(tell('ETH', other)).toEqual([{ ...imitation, original: nativeTokenAddress }])
    expect(tell('USDC', real)).toEqual([])
    expect(tell('OTHER', other)).toEqual([])
  })

  it('compares only the fungible amounts when items move as well', () => {
    const tell = (...changes: BalanceChange[]) =>
      callRisks([unknown], facts({ simulation: simulated(changes), returns: price(1n) }))
    const [item, gone] = [change(router, 1n, 7n), change(router, -1n, 7n)]
    expect(tell(...sold, change(other, 500n), item)).toMatchObject([{ kind: 'loss', received: 500n }])
    expect(tell(...sold, change(other, 950n), item)).toEqual([])
    expect(tell(...sold, change(other, 500n), gone)).toMatchObject([{ kind: 'loss' }])
    expect(tell(...sold, change(other, 950n), gone)).toEqual([{ kind: 'unpriced', isGrave: false }])
    expect(tell(gone, change(other, 500n))).toEqual([])
    expect(tell(...sold, item)).toEqual([])
  })

  it('reports no loss for items, payments and wraps of the native token', () => {
    for (const changes of [
      [...sold, change(other, 1n, 7n)],
      sold,
      [change(nativeTokenAddress, -5n), change(weth, 5n)],
      [change(other, 5n)],
    ]) {
      expect(
        callRisks([unknown], facts({ simulation: simulated(changes), returns: () => 10n ** 9n })),
      ).toEqual([])
    }
  })
})

describe('simulations', () => {
  it('reports a grave risk when too many tokens take part or the result depends on the block', () => {
    const risksOf = (simulation: Simulation) => callRisks([unknown], facts({ simulation }))
    const succeeds = { status: 'succeeds' as const, changes: [change(dai, 1n)], grants: [] }
    expect(risksOf({ status: 'unknown', reason: 'no', isCrowded: true })).toEqual([
      { kind: 'unseen', isGrave: true },
    ])
    expect(risksOf({ status: 'unknown', reason: 'no' })).toEqual([])
    expect(risksOf({ ...succeeds, isUnstable: true })).toEqual([{ kind: 'unstable', isGrave: true }])
    expect(risksOf(succeeds)).toEqual([])
  })

  describe('simulations that contracts can detect', () => {
    const weak = (calls: DecodedCall[], changes: BalanceChange[], more: Partial<CallFacts> = {}) =>
      callRisks(calls, facts({ simulation: { ...succeeds, isWeak: true, changes }, ...more }))
        .filter(({ kind }) => kind === 'weak')
        .map(({ isGrave }) => isGrave)
    const succeeds = { status: 'succeeds' as const, grants: [] }
    const transfer = (token: Address): DecodedCall => ({
      kind: 'transfer',
      token,
      to: other,
      amount: 5n,
      warnings: [],
    })
    const create: DecodedCall = { kind: 'create', bytes: 9, value: 5n, warnings: [] }
    const unlisted: BalanceChange = { token: { ...tokenAt(dai), listed: false }, amount: -5n }

    it.each<[string, DecodedCall, BalanceChange[]]>([
      ['an undecoded call that takes', unknown, [change(dai, -10n)]],
      ['an undecoded call that gives', unknown, [change(dai, 10n)]],
      [
        'an undecoded call that returns more than goes along',
        { ...unknown, value: 5n },
        [change(nativeTokenAddress, 1n)],
      ],
      ['an undecoded call that exchanges', unknown, [change(nativeTokenAddress, -5n), change(dai, 10n)]],
      ['an undecoded call without a change', unknown, []],
      ['the creation of a contract', create, [change(nativeTokenAddress, 1n)]],
      ['a payment to a contract', transfer(nativeTokenAddress), [change(nativeTokenAddress, -5n)]],
      ['a transfer of a token in no list', transfer(dai), [unlisted]],
      [
        'a collection’s operator',
        { kind: 'approve-all', collection: dai, operator: other, approved: false, warnings: [] },
        [],
      ],
    ])('reports a grave risk for %s', (_name, call, changes) => {
      expect(weak([call], changes)).toEqual([true])
    })

    it('reports a grave risk for an undecoded call beside a bounded one', () => {
      expect(weak([transfer(dai), unknown], [change(dai, -5n)])).toEqual([true])
    })

    it('reports no grave risk when the calldata bounds the outcome', () => {
      expect(
        weak([transfer(nativeTokenAddress)], [change(nativeTokenAddress, -5n)], { isPlain: true }),
      ).toEqual([false])
      expect(weak([transfer(dai)], [change(dai, -5n)])).toEqual([false])
      expect(weak([approve(5n, router)], [], { listed: [dai] })).toEqual([false])
    })
  })

  it('reports a grave risk when an undecoded call changes nothing, alone or in a batch', () => {
    const parts = [{ changes: [{ token: dai, amount: 1_000n }], grants: [] }]
    const risksOf = (amount: bigint) => {
      const changes = [change(dai, amount)]
      const simulation: Simulation = { status: 'succeeds', changes, grants: [], parts }
      return callRisks([unknown, unknown], facts({ simulation }))
    }
    expect(callRisks([unknown], facts({ simulation: simulated([]) }))).toEqual([
      { kind: 'no-change', isGrave: true },
    ])
    expect(risksOf(1_000n)).toEqual([{ kind: 'no-change', isGrave: true }])
    expect(risksOf(1_010n)).toEqual([{ kind: 'no-change', isGrave: true }])
    expect(risksOf(1_011n)).toEqual([])
  })
})

describe('decoded exchanges', () => {
  const swap = (more: Partial<Extract<DecodedCall, { kind: 'swap' }>> = {}): DecodedCall => ({
    kind: 'swap',
    router,
    sell: nativeTokenAddress,
    buy: dai,
    amount: 100n,
    floor: 90n,
    receiver: account,
    value: 100n,
    warnings: [],
    ...more,
  })
  const risksOf = (calls: DecodedCall[], simulation: Simulation) =>
    callRisks(calls, facts({ simulation })).filter(({ kind }) => kind === 'below-minimum')
  const paid = change(nativeTokenAddress, -100n)
  const below = (received: bigint, more = {}) => [
    { kind: 'below-minimum', buy: dai, received, promised: 90n, isGrave: true, ...more },
  ]

  it('reports a grave risk when the swap returns nothing or less than its minimum', () => {
    expect(risksOf([swap()], simulated([paid]))).toEqual(below(0n))
    expect(risksOf([swap()], simulated([paid, change(dai, 89n)]))).toEqual(below(89n))
    expect(risksOf([swap()], simulated([paid, change(dai, 90n)]))).toEqual([])
    expect(risksOf([swap()], simulated([paid, change(other, 900n)]))).toEqual(below(0n))
    expect(risksOf([swap()], simulated([paid, change(dai, 1n, 90n)]))).toEqual(below(0n))
  })

  it('compares the received token with the minimum when the calldata does not name the bought one', () => {
    const { buy: _unnamed, ...pools } = swap() as Extract<DecodedCall, { kind: 'swap' }>
    expect(risksOf([pools], simulated([paid]))).toMatchObject([{ received: 0n, promised: 90n }])
    expect(risksOf([pools], simulated([paid, change(dai, 89n)]))).toMatchObject([{ received: 89n }])
    expect(risksOf([pools], simulated([paid, change(dai, 90n)]))).toEqual([])
  })

  it('scales the minimum to the sold part of a partial fill', () => {
    const partial = swap({ sell: other, value: 0n, warnings: ['partial-fill'] })
    expect(risksOf([partial], simulated([change(other, -50n), change(dai, 45n)]))).toEqual([])
    expect(risksOf([partial], simulated([change(other, -50n), change(dai, 44n)]))).toEqual(below(44n))
    expect(risksOf([partial], simulated([]))).toEqual(below(0n))
  })

  it('measures a swap in a batch by its own outcome, regardless of later calls', () => {
    const parts = [
      {
        changes: [
          { token: nativeTokenAddress, amount: -100n },
          { token: dai, amount: 95n },
        ],
        grants: [],
      },
    ]
    const whole: Simulation = { status: 'succeeds', changes: [paid, change(other, 95n)], grants: [], parts }
    expect(risksOf([swap(), unknown], whole)).toEqual([])
    const emptied = [{ changes: [{ token: nativeTokenAddress, amount: -100n }], grants: [] }]
    expect(risksOf([swap(), unknown], { ...whole, parts: emptied })).toEqual(below(0n))
  })

  it('reports no shortfall when another account is the recipient', () => {
    expect(risksOf([swap({ receiver: other, warnings: ['foreign-receiver'] })], simulated([paid]))).toEqual(
      [],
    )
  })

  it('reports a wrap or unwrap that does not return the full amount', () => {
    const wrap: DecodedCall = { kind: 'wrap', token: weth, amount: 5n, warnings: [] }
    const unwrap: DecodedCall = { kind: 'unwrap', token: weth, amount: 5n, warnings: [] }
    expect(risksOf([wrap], simulated([change(nativeTokenAddress, -5n)]))).toEqual(
      below(0n, { buy: weth, promised: 5n }),
    )
    expect(risksOf([wrap], simulated([change(nativeTokenAddress, -5n), change(weth, 5n)]))).toEqual([])
    expect(risksOf([unwrap], simulated([change(weth, -5n), change(nativeTokenAddress, 4n)]))).toEqual(
      below(4n, { buy: nativeTokenAddress, promised: 5n }),
    )
    expect(risksOf([unwrap], simulated([change(weth, -5n), change(nativeTokenAddress, 5n)]))).toEqual([])
  })
})

describe('neededFacts', () => {
  it('requests the balances and allowances of approvals and the prices of exchanged tokens', () => {
    const simulation = simulated([change(dai, -10n), change(other, 2n)])
    expect(neededFacts([approve(5n)], facts({ simulation }))).toEqual({
      balances: [dai],
      allowances: [{ token: dai, spender: other }],
      trades: [
        { sell: other, buy: nativeTokenAddress, amount: 2n },
        { sell: dai, buy: nativeTokenAddress, amount: 10n },
        { sell: dai, buy: other, amount: 10n },
      ],
    })
  })
})

describe('risk acknowledgements', () => {
  it('keeps the key of a loss after a small change of its amount, but not after a large one', () => {
    const loss = (received: bigint) =>
      riskKey({ kind: 'loss', buy: dai, received, expected: 1_000n, isGrave: true })
    expect(loss(850n)).toBe(loss(820n))
    expect(loss(850n)).not.toBe(loss(500n))
  })

  it('requires one acknowledgement for a repeated grave risk', () => {
    const [first, second] = callRisks([approve(5n), approve(6n)], facts())
    expect(keysToAcknowledge([first!, second!, first!])).toHaveLength(1)
  })
})
