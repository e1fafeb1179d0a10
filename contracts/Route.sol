// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ISwapRouter} from './ISwapRouter.sol';

// `data` of `ISwapRouter.swap`: words of 32 bytes, read by checked slices and shifts. In order: the header, a
// connector token each, a branch each except the last, the permit, a hop each. Fields begin at the most
// significant bit.

/// @dev 160 bits referrer, 48 deadline, 24 feePpm, 8 each: numbers of connectors, branches - 1, permit words.
/// `tokens` are the source, the connectors in topological order, and the bought token; each occurs once.
/// `deadline` is the last valid block timestamp, in seconds.
/// `feePpm` is the partner fee in millionths of the spent amount, at most 30_000 (3 %).
/// The permit is empty, or arguments of EIP-2612 (7 words), DAI (8) or, with flag 4, Permit2 (12).
type Header is uint256;

/// @dev 232 bits number of hops, 24 weight: millionths of the source after the fee, rounded down.
/// The last branch has no word: it takes the rest, except failed shares, with the hops that are left.
type Branch is uint256;

/// @dev 160 bits pool, 48 detail, 8 kind, 8 from, 8 to, 24 weight. Grouped by `from`, in the tokens' order.
/// `kind`: 0 wrap, 1 unwrap, 2 v2, 3 v3, 4 Balancer v2, 5 Solidly, 6 Curve, 7 Uniswap v4, 8 Balancer v3,
/// 9 converter.
/// `detail`: v2: the fee in millionths. Balancer v2: what the pool's id adds to `pool`, 16 bits of
/// specialization and the low 32 of a nonce. Curve: 24 bits zero, 8 each: form, index of the sold coin, of
/// the bought coin. v4: what the pool's key adds to its hooks in `pool`, 24 bits fee and 24 tick spacing.
/// Converter: its form. Others: zero.
/// `from` and `to` are indices in `tokens`, `to` above `from`.
/// `weight` is millionths of the branch's initial balance of `from`, rounded down; 0 on the last hop of
/// `from`, which takes the rest.
type Hop is uint256;

using {referrer, deadline, feePpm, connectors, tokensIn, sectionsIn} for Header global;
using {hopCount, branchWeight} for Branch global;
using {pool, fee, poolId, coins, poolKey, form, kind, from, to, weight} for Hop global;

uint256 constant WORD = 32;

/// @dev Reverts beyond the end. `index` counts words of calldata: no overflow.
function wordAt(bytes calldata words, uint256 index) pure returns (uint256) {
  unchecked {
    return uint256(bytes32(words[index * WORD:index * WORD + WORD]));
  }
}

function hopAt(bytes calldata hops, uint256 index) pure returns (Hop) {
  return Hop.wrap(wordAt(hops, index));
}

function referrer(Header header) pure returns (address) {
  return address(uint160(Header.unwrap(header) >> 96));
}

function deadline(Header header) pure returns (uint256) {
  return uint48(Header.unwrap(header) >> 48);
}

function feePpm(Header header) pure returns (uint256) {
  return uint24(Header.unwrap(header) >> 24);
}

function connectors(Header header) pure returns (uint256) {
  return uint8(Header.unwrap(header) >> 16);
}

/// @dev Each token once, from `src` to `dst`.
function tokensIn(
  Header header,
  bytes calldata data,
  address src,
  address dst
) pure returns (address[] memory tokens) {
  uint256 count = header.connectors();
  tokens = new address[](count + 2);
  tokens[0] = src;
  for (uint256 i = 1; i <= count; ++i) tokens[i] = address(uint160(wordAt(data, i)));
  tokens[count + 1] = dst;
  for (uint256 i = 1; i < tokens.length; ++i) {
    address token = tokens[i];
    for (uint256 j = 0; j < i; ++j) if (tokens[j] == token) revert ISwapRouter.RepeatedToken(token);
  }
}

function sectionsIn(
  Header header,
  bytes calldata data
) pure returns (bytes calldata branches, bytes calldata permit, bytes calldata hops) {
  if (data.length % WORD != 0) revert ISwapRouter.WrongDataLength(data.length);
  uint256 word = Header.unwrap(header);
  (uint256 branchWords, uint256 permitWords) = (uint8(word >> 8), uint8(word));
  unchecked {
    // Each number is below 256.
    uint256 start = (1 + header.connectors()) * WORD;
    uint256 afterBranches = start + branchWords * WORD;
    uint256 afterPermit = afterBranches + permitWords * WORD;
    return (data[start:afterBranches], data[afterBranches:afterPermit], data[afterPermit:]);
  }
}

function hopCount(Branch branch) pure returns (uint256) {
  return Branch.unwrap(branch) >> 24;
}

function branchWeight(Branch branch) pure returns (uint256) {
  return uint24(Branch.unwrap(branch));
}

function pool(Hop hop) pure returns (address) {
  return address(uint160(Hop.unwrap(hop) >> 96));
}

function fee(Hop hop) pure returns (uint256) {
  return uint48(Hop.unwrap(hop) >> 48);
}

/// @dev 160 bits pool, 16 specialization, 80 nonce (Balancer's PoolRegistry.sol). The nonce counts pools.
function poolId(Hop hop) pure returns (bytes32) {
  uint256 word = Hop.unwrap(hop);
  return bytes32(((word >> 80) << 80) | uint32(word >> 48));
}

/// @dev Curve: the pool's function, and indices of the sold and the bought coin.
function coins(Hop hop) pure returns (uint256 curveForm, uint256 sold, uint256 bought) {
  uint256 word = Hop.unwrap(hop);
  return (uint8(word >> 64), uint8(word >> 56), uint8(word >> 48));
}

/// @dev Uniswap v4: fee in millionths, or 0x800000 if dynamic, and tick spacing.
function poolKey(Hop hop) pure returns (uint24 keyFee, int24 tickSpacing) {
  uint256 word = Hop.unwrap(hop);
  return (uint24(word >> 72), int24(uint24(word >> 48)));
}

/// @dev Converter: its function.
function form(Hop hop) pure returns (uint256) {
  return uint48(Hop.unwrap(hop) >> 48);
}

function kind(Hop hop) pure returns (uint256) {
  return uint8(Hop.unwrap(hop) >> 40);
}

function from(Hop hop) pure returns (uint256) {
  return uint8(Hop.unwrap(hop) >> 32);
}

function to(Hop hop) pure returns (uint256) {
  return uint8(Hop.unwrap(hop) >> 24);
}

function weight(Hop hop) pure returns (uint256) {
  return uint24(Hop.unwrap(hop));
}
