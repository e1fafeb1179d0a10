import { readBytes, readItems, readOffset, readSize, readWord } from './calldata.ts'
import { defineKnownFunction, type KnownFunction, type Visitor } from './knownFunction.ts'
import { paymentFunctions } from './paymentFunctions.ts'
import { payoutTables, plainFunctions } from './routers/payoutTables.ts'
import { swapFunctions } from './routers/swapFunctions.ts'

let functions: Map<string, KnownFunction> | undefined

/** Returns functions with recipients by selector without 0x. */
export function knownFunctions(): Map<string, KnownFunction> {
  functions ??= new Map(
    [
      ...payoutTables().map(([signature, word, constants = 'none']) =>
        defineKnownFunction(signature, (args, { recipient }) =>
          recipient(readWord(args, word * 32), constants),
        ),
      ),
      ...plainFunctions().map((signature) => defineKnownFunction(signature, () => undefined)),
      ...swapFunctions(),
      ...paymentFunctions(),
      ...orders(),
      ...permits(),
      ...lists(),
    ].map(({ selector, ...rest }) => [selector, rest]),
  )
  return functions
}

/** Limit orders of the public aggregation router: by a flag, `args` begins with a recipient. */
function orders() {
  const order = '(uint256, uint256, uint256 receiver, uint256, uint256, uint256, uint256, uint256) order'
  const read = (word: number) => (args: string, visitor: Visitor) => {
    if ((readWord(args, word * 32) & hasTarget) === 0n) return
    const bytes = readBytes(args, readOffset(args, word * 32 + 32))
    if (bytes.length < 40) throw new Error('No recipient')
    visitor.recipient(BigInt(`0x${bytes.slice(0, 40)}`), 'none')
  }
  return [
    defineKnownFunction(
      `fillOrderArgs(${order}, bytes32, bytes32, uint256 amount, uint256, bytes)`,
      read(11),
    ),
    defineKnownFunction(`fillContractOrderArgs(${order}, bytes, uint256 amount, uint256, bytes)`, read(10)),
  ]
}

const hasTarget = 1n << 251n

/** Permit2 permits, also through V4's position manager. The spender counts as recipient. */
function permits() {
  const details = '(address token, uint160 amount, uint48, uint48)'
  return [
    defineKnownFunction(
      `permit(address owner, (${details} details, address spender, uint256) permit, bytes)`,
      (args, { recipient }) => recipient(readWord(args, 160), 'none'),
    ),
    defineKnownFunction(
      `permitBatch(address owner, (${details}[] details, address spender, uint256) permit, bytes)`,
      (args, { recipient }) => recipient(readWord(args, readOffset(args, 32) + 32), 'none'),
    ),
  ]
}

function lists() {
  const calls = (signature: string, at: number) =>
    defineKnownFunction(
      signature,
      (args, { call }) => {
        for (const item of readItems(args, readOffset(args, at))) call(readBytes(args, item))
      },
      true,
    )
  return [
    calls('multicall(bytes[] data)', 0),
    calls('multicall(uint256, bytes[] data)', 32),
    calls('multicall(bytes32, bytes[] data)', 32),
    ...['callPositionManager(bytes data)', 'permitAndCall(bytes, bytes)'].map((signature, index) =>
      defineKnownFunction(
        signature,
        (args, { call }) => call(readBytes(args, readOffset(args, index * 32))),
        true,
      ),
    ),
    defineKnownFunction('execute(bytes, bytes[])', (args, { steps }) => steps('universal', args)),
    defineKnownFunction('execute(bytes, bytes[], uint256)', (args, { steps }) => steps('universal', args)),
    defineKnownFunction('modifyLiquidities(bytes, uint256)', (args, { steps }) =>
      steps('v4', readBytes(args, readOffset(args, 0))),
    ),
    defineKnownFunction('modifyLiquiditiesWithoutUnlock(bytes, bytes[])', (args, { steps }) =>
      steps('v4', args),
    ),
    // Compound's bulker: each action but a claim names its recipient.
    defineKnownFunction('invoke(bytes32[], bytes[] data)', (args, visitor) => {
      const actions = readOffset(args, 0)
      const items = readItems(args, readOffset(args, 32))
      if (items.length !== readSize(args, actions)) visitor.unread()
      for (const [index, item] of items.entries()) {
        const action = readWord(args, actions + 32 + index * 32)
        if (action !== claimReward) visitor.recipient(readWord(args, item + 64), 'none')
      }
    }),
  ]
}

const claimReward = BigInt(`0x${'414354494f4e5f434c41494d5f524557415244'.padEnd(64, '0')}`)
