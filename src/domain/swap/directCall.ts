import { parseAbi } from 'viem'
import { once } from '../../lib/once.ts'
import type { Address } from '../token/token.ts'

/** Functions of SwapRouter02 that direct swaps use (Uniswap swap-router-contracts 1.3). */
export const directAbi = once(() =>
  parseAbi([
    'function multicall(uint256 deadline, bytes[] data) payable returns (bytes[])',
    'struct ExactInputParams { bytes path; address recipient; uint256 amountIn; uint256 amountOutMinimum; }',
    'function exactInput(ExactInputParams params) payable returns (uint256)',
    'function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to) payable returns (uint256)',
    'function sweepToken(address token, uint256 amountMinimum, address recipient) payable',
    'function unwrapWETH9(uint256 amountMinimum, address recipient) payable',
    'function refundETH() payable',
    'function selfPermitIfNecessary(address token, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) payable',
    'function selfPermitAllowedIfNecessary(address token, uint256 nonce, uint256 expiry, uint8 v, bytes32 r, bytes32 s) payable',
  ]),
)

/** Recipients that stand for the sender and for the router itself (Constants.MSG_SENDER, ADDRESS_THIS). */
export const routerSender: Address = '0x0000000000000000000000000000000000000001'
export const routerItself: Address = '0x0000000000000000000000000000000000000002'
