// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Swaps along a route of pools, holding nothing between calls.
/// @notice The outer call has the publicly described shape of aggregation routers (selector 0x07ed2379), so that one reader
/// of calldata understands this router and the public one. What is ours travels ABI-encoded in `data`.
interface ISwapRouter {
  /// @param srcToken sold; the native coin is 0xeeee…eeee
  /// @param dstToken bought; the native coin is 0xeeee…eeee
  /// @param srcReceiver must be the router
  /// @param dstReceiver gets what was bought; zero means msg.sender
  /// @param amount sold, in base units
  /// @param minReturnAmount the swap reverts below it
  /// @param flags must be zero; bits for partial fill and Permit2 are reserved
  struct SwapDescription {
    address srcToken;
    address dstToken;
    address srcReceiver;
    address dstReceiver;
    uint256 amount;
    uint256 minReturnAmount;
    uint256 flags;
  }

  /// @notice What `data` decodes to.
  /// @param tokens every token of the route once, in topological order: `srcToken` first, `dstToken` last
  /// @param hops the edges, grouped by `from` in the order of `tokens`
  /// @param feePpm partner fee in millionths of the source amount, at most 30_000 (3 %), taken before the route
  /// @param referrer gets the fee
  /// @param permit empty, or EIP-2612 (7 words) or DAI style (8 words) arguments for `srcToken`
  struct Route {
    address[] tokens;
    Hop[] hops;
    uint256 feePpm;
    address referrer;
    bytes permit;
  }

  /// @param kind 0 wrap, 1 unwrap, 2 constant product (v2), 3 concentrated (v3)
  /// @param from index in `tokens` of what is sold
  /// @param to index in `tokens` of what is bought, above `from`
  /// @param fee of a v2 pool, in millionths of the input (3_000 is 0.3 %); unused elsewhere
  /// @param pool the pool's address; unused for wrap and unwrap
  /// @param weight millionths of what `from` holds when its first hop runs, rounded down; the last hop of a `from` has
  /// weight 0 and takes the rest
  /// @param aux reserved for kinds that need more than a pool; zero
  struct Hop {
    uint8 kind;
    uint8 from;
    uint8 to;
    uint24 fee;
    address pool;
    uint32 weight;
    bytes32 aux;
  }

  function swap(
    address executor,
    SwapDescription calldata desc,
    bytes calldata data
  ) external payable returns (uint256 returnAmount, uint256 spentAmount);
}
