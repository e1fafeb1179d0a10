import { encodeFunctionData, erc20Abi, parseAbi, parseEther } from 'viem'
import { beforeAll, describe, expect, it } from 'vitest'
import { createRecipientFacts } from '../../../../src/background/dapp/recipientFacts.ts'
import { createRiskChecks } from '../../../../src/background/dapp/riskChecks.ts'
import { keysToAcknowledge, type Risk } from '../../../../src/domain/dapp/risks/risk.ts'
import { type Address, zeroAddress } from '../../../../src/domain/token/token.ts'
import { useRiskStage } from '../../../helpers/background/riskStage.ts'
import { asker } from '../../../helpers/background/sendStage.ts'
import { until } from '../../../helpers/background/worker.ts'

const { stage, made, ask, askSignature } = useRiskStage()

const address = (start: string, end: string): Address =>
  `0x${start}${'0'.repeat(40 - start.length - end.length)}${end}`
/** The same first and last digits. */
const [ann, fakeAnn] = [address('a11c5e', 'beef'), address('a11c', 'beef')]
const [friend, fakeFriend] = [address('f1f1f1', 'f1a2'), address('f1f1', 'f1a2')]
const fakeOwn = () => address(made.browser.account.slice(2, 6), made.browser.account.slice(-4))
const stranger: Address = `0x${'bd'.repeat(20)}`
const soon = () => BigInt(Math.floor(Date.now() / 1_000) + 600)

const ether = (to: Address) => ({ to, data: '0x', value: parseEther('0.001') }) as const
const dollars = (to: Address) => ({
  to: stage.localnet.tokens.USDC,
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, 100_000_000n] }),
})

beforeAll(async () => {
  const { desk } = made
  await desk.settings.update((before) => ({ ...before, contacts: [{ address: ann, name: 'Ann' }] }))
  // No contact, but a site paid there before.
  const asked = await ask(ether(friend))
  expect(asked.risks).toEqual([{ kind: 'new-recipient', recipient: friend, isGrave: false }])
  await asked.send([])
  await until(
    async () => (await desk.worker.sendings()).find(({ outcome }) => outcome.status === 'done'),
    'the first transfer',
  )
}, 240_000)

async function expectTick({ risks, approve, reject }: Awaited<ReturnType<typeof ask>>, expected: Risk) {
  expect(risks).toContainEqual(expected)
  const others = keysToAcknowledge(risks.filter(({ kind }) => kind !== expected.kind))
  await expect(approve(others)).rejects.toMatchObject({ code: 'stale-review' })
  await reject()
}

const alike = (address: Address, of: Address): Risk => ({ kind: 'look-alike', address, of, isGrave: true })

describe('transfer requested by a site', () => {
  it.each<[string, () => Address, () => Address]>([
    ['a contact', () => fakeAnn, () => ann],
    ['an earlier recipient', () => fakeFriend, () => friend],
    ['an own account', fakeOwn, () => made.browser.account],
  ])('requires acknowledgement for a look-alike of %s', async (_name, fake, real) => {
    await expectTick(await ask(ether(fake())), alike(fake(), real()))
    await expectTick(await ask(dollars(fake())), alike(fake(), real()))
  })

  it('requires acknowledgement for a look-alike in any call of a batch', async () => {
    await expectTick(await ask(dollars(friend), ether(fakeAnn)), alike(fakeAnn, ann))
    await expectTick(await ask(dollars(fakeAnn), ether(friend)), alike(fakeAnn, ann))
  })

  it('requires acknowledgement for a look-alike among several recipients of one call', async () => {
    const abi = parseAbi(['function disperseEther(address[] recipients, uint256[] values) payable'])
    const data = encodeFunctionData({
      abi,
      args: [
        [friend, fakeAnn],
        [1n, 1n],
      ],
    })
    await expectTick(await ask({ to: stranger, data, value: 2n }), alike(fakeAnn, ann))
  })

  it('requires acknowledgement for a look-alike as spender', async () => {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [fakeAnn, 1n] })
    await expectTick(await ask({ to: stage.localnet.tokens.USDC, data }), alike(fakeAnn, ann))
  })

  it('requires acknowledgement for a transfer to the contract of the token', async () => {
    const token = stage.localnet.tokens.USDC
    await expectTick(await ask(dollars(token)), { kind: 'lost', recipient: token, token, isGrave: true })
  })

  it('requires acknowledgement for a transfer to the zero address', async () => {
    const token = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'
    await expectTick(await ask(ether(zeroAddress)), {
      kind: 'lost',
      recipient: zeroAddress,
      token,
      isGrave: true,
    })
  })

  it('shows no warning for a known recipient and only a note for a new one', async () => {
    const said = async (...calls: Parameters<typeof ask>) => {
      const asked = await ask(...calls)
      await asked.reject()
      return asked.risks
    }
    expect(await said(dollars(friend))).toEqual([])
    expect(await said(dollars(made.browser.account))).not.toContainEqual(
      expect.objectContaining({ kind: 'new-recipient' }),
    )
    expect(await said(dollars(stranger))).toEqual([
      { kind: 'new-recipient', recipient: stranger, isGrave: false },
    ])
  })

  it('requires acknowledgement for a look-alike while the RPC does not answer', async () => {
    const { desk, browser } = made
    const call = { from: browser.account, to: fakeAnn, value: '0x1' }
    const asked = desk.call('eth_sendTransaction', [call], asker(1_000))
    asked.catch(() => undefined)
    const approval = await desk.open()
    const checks = createRiskChecks({
      networks: desk.worker.networks,
      people: createRecipientFacts({
        vault: desk.worker.vault,
        settings: desk.settings,
        intents: desk.worker,
      }),
      preview: () => new Promise(() => undefined),
      waitMs: 50,
    })
    expect(await checks.recipientRisks(approval)).toContainEqual(alike(fakeAnn, ann))
    const decision = { kind: 'send' as const, feeCap: 1n, mayFail: true, acknowledged: ['unchecked'] }
    await expect(checks.check(approval, decision)).rejects.toMatchObject({
      code: 'stale-review',
      facts: { risks: `look-alike ${fakeAnn} ${ann}` },
    })
    await desk.approvals.reject(approval.id)
  })
})

describe('typed data that names an account', () => {
  const members = (text: string) =>
    text.split(',').map((each) => {
      const [type, name] = each.split(' ')
      return { type, name }
    })
  const domain = () => ({ name: 'USD Coin', version: '2', verifyingContract: stage.localnet.tokens.USDC })
  const transfer = (to: Address) => ({
    domain: domain(),
    primaryType: 'TransferWithAuthorization',
    types: {
      TransferWithAuthorization: members(
        'address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce',
      ),
    },
    message: {
      from: made.browser.account,
      to,
      value: 1_000_000n,
      validAfter: 0n,
      validBefore: soon(),
      nonce: `0x${'07'.repeat(32)}`,
    },
  })
  const permit = (spender: Address) => ({
    domain: domain(),
    primaryType: 'Permit',
    types: { Permit: members('address owner,address spender,uint256 value,uint256 nonce,uint256 deadline') },
    message: { owner: made.browser.account, spender, value: 1_000_000n, nonce: 0n, deadline: soon() },
  })

  it.each<[string, () => ReturnType<typeof transfer> | ReturnType<typeof permit>]>([
    ['a gasless transfer', () => transfer(fakeAnn)],
    ['a permit', () => permit(fakeAnn)],
    [
      'a Safe transaction',
      () =>
        ({
          domain: { verifyingContract: stranger },
          primaryType: 'SafeTx',
          types: {
            SafeTx: members(
              'address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,address gasToken,address refundReceiver,uint256 nonce',
            ),
          },
          message: {
            to: fakeAnn,
            value: 1n,
            data: '0x',
            operation: 0,
            safeTxGas: 0n,
            baseGas: 0n,
            gasPrice: 0n,
            gasToken: zeroAddress,
            refundReceiver: zeroAddress,
            nonce: 0n,
          },
        }) as never,
    ],
  ])('requires acknowledgement for a look-alike in %s', async (_name, typedData) => {
    const asked = await askSignature(typedData())
    expect(asked.risks).toContainEqual(alike(fakeAnn, ann))
    await expect(asked.approve(['typed-data'])).rejects.toMatchObject({ code: 'stale-review' })
    await asked.reject()
  })

  it('warns of a gasless transfer to the zero address or to the token', async () => {
    for (const to of [zeroAddress, stage.localnet.tokens.USDC]) {
      const asked = await askSignature(transfer(to))
      expect(asked.risks).toContainEqual({
        kind: 'lost',
        recipient: to,
        token: stage.localnet.tokens.USDC,
        isGrave: true,
      })
      await asked.reject()
    }
  })

  it('requires only the typed-data acknowledgement for a known recipient and notes a new one', async () => {
    for (const [to, notes] of [
      [friend, []],
      [stranger, [{ kind: 'new-recipient', recipient: stranger, isGrave: false }]],
    ] as const) {
      const asked = await askSignature(transfer(to))
      expect(asked.ticks).toEqual(['typed-data'])
      expect(asked.risks.filter(({ isGrave }) => !isGrave)).toEqual(notes)
      await asked.reject()
    }
  })
})
