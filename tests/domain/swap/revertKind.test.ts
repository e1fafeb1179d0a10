import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseErrorName, parseRevertKind, type RevertKind } from '../../../src/domain/swap/revertKind.ts'
import { getRevertErrors } from '../../../src/evm/simulation/revertErrors.ts'

const reasons: [RevertKind, string[]][] = [
  [
    'price',
    [
      'ReturnTooLow (returned 99, minimum 100)',
      'FillTooLow (returned 9, spent 1, amount 2, minimum 10)',
      'ReturnAmountIsNotEnough (returned 1, minimum 2)',
      'Return amount is not enough',
      'Min return not reached',
      'Too little received',
      'Too much requested',
      'UniswapV2Router: INSUFFICIENT_OUTPUT_AMOUNT',
      'PancakeRouter: INSUFFICIENT_OUTPUT_AMOUNT',
      'UniswapV2Router: EXCESSIVE_INPUT_AMOUNT',
      'V3TooLittleReceived',
      'V2TooMuchRequested',
      'V4TooLittleReceived (minAmountOutReceived 2, amountReceived 1)',
      'TooMuchSlippage (token 0x00, expected 2, actual 1)',
      'Price slippage check',
      'Exchange resulted in fewer coins than expected',
      'Received amount of tokens are less then expected',
      'insufficient amount out',
      'BAL#507',
      'SPL',
    ],
  ],
  [
    'deadline',
    [
      'Expired (deadline 1700000000)',
      'Transaction too old',
      'UniswapV2Router: EXPIRED',
      'TransactionDeadlinePassed',
      'DeadlinePassed (deadline 1)',
      'BAL#508',
    ],
  ],
  [
    'balance',
    [
      'ERC20InsufficientBalance (sender 0x00, balance 1, needed 2)',
      'ERC20: transfer amount exceeds balance',
      'Dai/insufficient-balance',
      'InsufficientBalance',
      'BEP20: transfer amount exceeds balance',
      'Not enough balance',
      'AddressInsufficientBalance (account 0x00)',
    ],
  ],
  [
    'allowance',
    [
      'ERC20InsufficientAllowance (spender 0x00, allowance 1, needed 2)',
      'ERC20: insufficient allowance',
      'ERC20: transfer amount exceeds allowance',
      'Dai/insufficient-allowance',
      'StandardToken: transfer amount exceeds spender allowance',
      'Allowance too low',
      'InsufficientAllowance (amount 0)',
    ],
  ],
  [
    'transfer',
    [
      'STF',
      'TF',
      'TRANSFER_FROM_FAILED',
      'TransferHelper: TRANSFER_FROM_FAILED',
      'TransferHelper::transferFrom: transferFrom failed',
      'UniswapV2: TRANSFER_FAILED',
      'SafeERC20: low-level call failed',
      'SafeERC20FailedOperation (token 0x00)',
      'TransferFromFailed',
    ],
  ],
  [
    'signature',
    [
      'SignatureExpired (signatureDeadline 5)',
      'InvalidSigner',
      'InvalidNonce',
      'ERC2612ExpiredSignature (deadline 1)',
      'ERC20Permit: expired deadline',
      'ERC20Permit: invalid signature',
      'Dai/invalid-permit',
      'ECDSA: invalid signature length',
      'WrongPermit (owner 0x00, spender 0x00)',
    ],
  ],
  ['allowance-expired', ['AllowanceExpired (deadline 0)', 'AllowanceExpired']],
  ['approval', ['SA', 'ApproveFailed', 'ApprovalFailed (token 0x00, spender 0x00, amount 1)']],
  ['recipient', ['STE', 'TransferHelper: ETH_TRANSFER_FAILED', 'Failed to send Ether', 'ETHTransferFailed']],
  [
    'restricted',
    [
      'EnforcedPause',
      'Pausable: paused',
      'ERC20Pausable: token transfer while paused',
      'Blacklistable: account is blacklisted',
    ],
  ],
  ['restricted', ['Trading is not enabled', 'Max wallet exceeded']],
  ['pool', ['UniswapV2: K', 'UniswapV2: LOCKED', 'LOK', 'IIA', 'UniswapV2: INSUFFICIENT_LIQUIDITY']],
  ['pool', ['NothingBought (hop 0, token 0x00)', 'Unsold (token 0x00, amount 1)', 'PoolNotInitialized']],
  ['route', ['RepeatedToken (token 0x00)', 'WrongValue (value 1, expected 0)', 'NotArmed (caller 0x00)']],
  ['gas', ['out of gas', 'TooLittleGas (branch 1)', 'OutOfGas']],
  [
    'arithmetic',
    [
      'Panic (reason 17)',
      'Panic (reason 18)',
      'arithmetic underflow or overflow',
      'SafeMath: subtraction overflow',
      'ds-math-sub-underflow',
    ],
  ],
]

describe('parseRevertKind', () => {
  it.each(reasons)('returns %s for the usual reasons of routers, pools and tokens', (kind, words) => {
    expect(words.map((reason) => [reason, parseRevertKind(reason)])).toEqual(
      words.map((reason) => [reason, kind]),
    )
  })

  it('returns undefined for uninformative reasons', () => {
    for (const reason of [
      '',
      'no',
      'toString',
      '__proto__',
      'constructor',
      'ERC20: too much',
      '0xdeadbeef',
      'Swap',
    ])
      expect(parseRevertKind(reason)).toBeUndefined()
  })

  it.each([
    'SafeERC20: approve from non-zero to non-zero allowance',
    'ERC20: decreased allowance below zero',
    'Unlimited allowance required',
    'Exceeds daily allowance',
    'tokens are not approved for trading',
    'ERC721: caller is not token owner or approved',
    'ERC1155MissingApprovalForAll (operator 0x00, owner 0x00)',
    'Recipient exceeds maximum wallet balance',
    'Max balance exceeded',
    'balance is not low enough',
    'Pausable: not paused',
    'ExpectedPause',
    'Caller is not the pauser',
    'Account is not blacklisted',
    'Blacklisting is disabled',
    'not frozen',
    'Invalid deadline',
    'Deadline not reached',
    'Auction not expired',
    'Auction expired',
    'Lock expired early',
    'nonce too low',
    'nonce too high',
    'Invalid nonce',
    'Signer is not an owner',
    'Signature required',
    'Permit not supported',
    'Invalid slippage',
    'Slippage not set',
    'Slippage is too low to be useful',
    'Spot price limit',
    'gas price too high',
    'Not enough gas money in the tank',
    'Minimum received tokens must be set',
    'Staking pool not found',
    'Pool already exists',
    'INSUFFICIENT_LIQUIDITY_MINTED',
    'INSUFFICIENT_A_AMOUNT',
    'Liquidity locked',
    'Wallet: LOCKED',
    'Auction not started',
    'Robot is busy',
    'transfer failsafe is on',
    'Cannot transfer ownership while failing',
    'ERC20InvalidReceiver (receiver 0x00)',
    'No overflow is possible',
    'BAL#401',
    'BAL#415',
    'Panic (reason 1)',
    'Panic (reason 50)',
    'Panic',
  ])('returns undefined for %j, which only shares words with a known reason', (reason) => {
    expect(parseRevertKind(reason)).toBeUndefined()
  })

  it('recognises every custom error of the router', () => {
    const source = readFileSync(new URL('../../../contracts/ISwapRouter.sol', import.meta.url), 'utf8')
    const names = [...source.matchAll(/^ {2}error (\w+)\(/gm)].map(([, name = '']) => name)
    expect(names.length).toBeGreaterThan(35)
    const decoded = new Set<string>(getRevertErrors().map(({ name }) => name))
    expect(names.filter((name) => !decoded.has(name))).toEqual([])
    expect(names.filter((name) => parseRevertKind(name) === undefined)).toEqual([])
  })

  it('handles pathological texts within 200 ms', () => {
    const began = performance.now()
    parseRevertKind(`returns ${'a '.repeat(100_000)}`)
    parseRevertKind(`A${'a'.repeat(100_000)}(`)
    for (const part of ['the ', 'token token ', 'a: ', 'a::a ', 'returned ', 'swap '])
      parseRevertKind(`${part.repeat(150)}!`)
    expect(performance.now() - began).toBeLessThan(200)
  })

  it('extracts the name of a custom error and none from a sentence', () => {
    expect(parseErrorName('ReturnTooLow (returned 99, minimum 100)')).toBe('ReturnTooLow')
    expect(parseErrorName('Too little received')).toBeUndefined()
    expect(parseErrorName('STF')).toBeUndefined()
  })
})
