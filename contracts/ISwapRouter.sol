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
  /// @param flags bit 0 (1): a part may be sold when not all can be, for a return that keeps `minReturnAmount` to `amount`;
  /// bit 2 (4): the source is pulled through Permit2; the others must be zero
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
  /// @param branches ways from the first token to the last, run one after another; one is enough for any route, more let a
  /// part of it fail alone
  /// @param feePpm partner fee in millionths of the source amount, at most 30_000 (3 %): set aside before the route, and after
  /// it paid for what was spent
  /// @param referrer gets the fee
  /// @param deadline the last block timestamp at which the swap executes, in seconds since 1970
  /// @param permit empty, or EIP-2612 (7 words) or DAI style (8 words) arguments for `srcToken`; with the Permit2 flag, empty
  /// or arguments of Permit2's `permit` for a single token (12 words); not read when the native coin is sold
  struct Route {
    address[] tokens;
    Branch[] branches;
    uint256 feePpm;
    address referrer;
    uint256 deadline;
    bytes permit;
  }

  /// @param weight millionths of what there is of the source when the first branch starts, rounded down; the last branch has
  /// weight 0 and takes what the others did not take, except the shares of those that failed
  /// @param hops the edges, grouped by `from` in the order of `tokens`
  struct Branch {
    uint32 weight;
    Hop[] hops;
  }

  /// @param kind 0 wrap, 1 unwrap, 2 constant product (v2), 3 concentrated (v3), 4 a pool of the Balancer vault
  /// @param from index in `tokens` of what is sold
  /// @param to index in `tokens` of what is bought, above `from`
  /// @param fee of a v2 pool, in millionths of the input (3_000 is 0.3 %); unused elsewhere
  /// @param pool the pool's address; unused for wrap and unwrap
  /// @param weight millionths of what the branch has of `from` when its first hop runs, rounded down; the last hop of a `from`
  /// has weight 0 and takes the rest
  /// @param aux the pool's id in the vault, which begins with the pool's address; unused elsewhere
  struct Hop {
    uint8 kind;
    uint8 from;
    uint8 to;
    uint24 fee;
    address pool;
    uint32 weight;
    bytes32 aux;
  }

  /// @notice A swap that went through.
  /// @param sender whose `srcToken` was sold, the partner fee included
  /// @param spentAmount what left the sender and did not come back
  /// @param returnAmount by how much the receiver's balance grew
  event Swapped(
    address indexed sender,
    address srcToken,
    address dstToken,
    address dstReceiver,
    uint256 spentAmount,
    uint256 returnAmount
  );

  /// @notice A branch of a partial fill failed and left its share of the source. Only in a swap that went through.
  event BranchFailed(uint256 branch);

  // What was asked.

  /// @notice `swap` was entered while a swap runs.
  error Reentered();
  /// @notice The executor is not the router itself.
  error WrongExecutor(address executor);
  /// @notice The source must come to the router itself.
  error WrongSrcReceiver(address srcReceiver);
  /// @notice What is bought may not stay with the router.
  error WrongDstReceiver(address dstReceiver);
  /// @notice A flag other than partial fill (1) and Permit2 (4).
  error UnknownFlags(uint256 flags);
  /// @notice The native coin sent along is not what the description asks for.
  error WrongValue(uint256 value, uint256 expected);

  /// @notice The block's timestamp is after the deadline.
  error Expired(uint256 deadline);

  // The route. A `hop` is counted from 0 through all branches.

  /// @notice The route needs two tokens and a branch at least.
  error EmptyRoute(uint256 tokens, uint256 branches);
  /// @notice The branch has no hop.
  error EmptyBranch(uint256 branch);
  /// @notice Weight 0 belongs on the last branch and nowhere else, and the others leave it something.
  error WrongBranchWeight(uint256 branch, uint256 weight, uint256 weightsBefore);
  /// @notice The token stands in the route twice.
  error RepeatedToken(address token);
  /// @notice The route's ends are not the description's, or the description buys what it sells.
  error WrongEnds(address first, address last, address srcToken, address dstToken);
  /// @notice The hop's `to` is not above its `from` and inside `tokens`.
  error WrongTarget(uint256 hop, uint256 from, uint256 to, uint256 tokens);
  /// @notice The hop's `from` is below the one before, or is the last token, or no token at all.
  error WrongOrder(uint256 hop, uint256 from);
  /// @notice Weight 0 belongs on the last hop of a token and nowhere else, and the others leave it something.
  error WrongWeight(uint256 hop, uint256 weight, uint256 weightsBefore);
  /// @notice There is no such kind, or the chain has no vault for it.
  error UnknownKind(uint256 hop, uint256 kind);
  /// @notice The hop's tokens are not those its kind trades: wrapped and native coin for 0 and 1, tokens for the others.
  error WrongTokens(uint256 hop, address sold, address bought);
  /// @notice A v2 pool's fee leaves nothing of the input.
  error WrongPoolFee(uint256 hop, uint256 fee);
  /// @notice The id is not one of that pool.
  error WrongPoolId(uint256 hop, bytes32 poolId, address pool);

  // The fee and the permit.

  /// @notice The partner fee is above the maximum.
  error FeeTooHigh(uint256 feePpm, uint256 maximum);
  /// @notice A fee for nobody.
  error NoReferrer(uint256 feePpm);
  /// @notice The permit is neither 7 nor 8 words, or with the Permit2 flag not 12.
  error WrongPermitLength(uint256 length);
  /// @notice The permit is not from msg.sender to the router.
  error WrongPermit(address owner, address spender);
  /// @notice The permit is for another token than the source.
  error WrongPermitToken(address token, address srcToken);

  // What happened on the way.

  /// @notice There was nothing for the hop to sell, or its share rounds down to nothing.
  error NothingToSell(uint256 hop, address token);
  /// @notice The pool's payment did not arrive.
  error NothingBought(uint256 hop, address token);
  /// @notice The hops of a token between source and destination left something of it.
  error Unsold(address token, uint256 amount);
  /// @notice A token took more from the router than the router sent: the balance fell below what is not this call's.
  error IdleTouched(address token, uint256 balance, uint256 idle);
  /// @notice Less than the minimum was there to send, or arrived.
  error ReturnTooLow(uint256 returned, uint256 minimum);
  /// @notice A partial fill returned nothing, or less for what it spent than the minimum is for the amount.
  error FillTooLow(uint256 returned, uint256 spent, uint256 amount, uint256 minimum);
  /// @notice A branch of a partial fill failed, and perhaps only because it was given too little gas.
  error TooLittleGas(uint256 branch);
  /// @notice The branch was asked for by somebody else than the router.
  error NotRouter(address caller);
  /// @notice The amount is above what a v3 pool, or Permit2, can be asked for.
  error AmountTooLarge(uint256 amount);
  /// @notice A callback by somebody who is not the pool being traded with at this moment.
  error NotArmed(address caller);
  /// @notice The pool asks for more than the hop sells, or for nothing.
  error WrongDemand(int256 demanded, uint256 armed);
  /// @notice The native coin comes with `swap` or from the wrapped coin.
  error NotWrapped(address sender);
  /// @notice A token refused a transfer; `reason` is what it returned.
  error TransferFailed(address token, address from, address to, uint256 amount, bytes reason);
  /// @notice A token refused an approval; `reason` is what it returned.
  error ApprovalFailed(address token, address spender, uint256 amount, bytes reason);
  /// @notice A receiver refused the native coin.
  error NativeTransferFailed(address to, uint256 amount, bytes reason);

  /// @notice Sells `amount` of msg.sender's `srcToken` along the route in `data` and sends the `dstToken` to `dstReceiver`.
  /// What of the source was not taken goes back to msg.sender.
  /// @param executor must be the router
  /// @param data an ABI-encoded `Route`
  /// @return returnAmount by how much the receiver's balance grew
  /// @return spentAmount `amount` less what went back
  function swap(
    address executor,
    SwapDescription calldata desc,
    bytes calldata data
  ) external payable returns (uint256 returnAmount, uint256 spentAmount);

  /// @notice A v3 pool asks for its input: only the pool being traded with, once, and no more than the hop sells.
  function uniswapV3SwapCallback(int256 amount0Delta, int256 amount1Delta, bytes calldata data) external;

  /// @notice The same, as the pools of PancakeSwap call it.
  function pancakeV3SwapCallback(int256 amount0Delta, int256 amount1Delta, bytes calldata data) external;

  /// @notice One branch of a partial fill, which the router asks of itself so that it can fail alone.
  /// @param tokens of the route
  /// @param idle what the router has of each that is not the branch's
  /// @param amount of the source that is
  /// @param firstHop the number of its first hop
  /// @return unsold how much of `amount` is left
  function sellBranch(
    address[] calldata tokens,
    uint256[] calldata idle,
    uint256 amount,
    Hop[] calldata hops,
    uint256 firstHop
  ) external returns (uint256 unsold);

  /// @notice The wrapped native coin of the chain.
  function WETH() external view returns (address);

  /// @notice Uniswap's Permit2, through which a source may be pulled.
  function PERMIT2() external view returns (address);

  /// @notice The Balancer vault of the chain; zero where there is none.
  function VAULT() external view returns (address);
}
