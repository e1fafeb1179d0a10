// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice Swaps tokens along a route of pools.
/// @dev `swap` has the selector of public aggregation routers (0x07ed2379).
interface ISwapRouter {
  /// @param srcToken the native token is 0xeeee…eeee
  /// @param srcReceiver must be the router
  /// @param dstReceiver zero means msg.sender; not the router
  /// @param flags 1: partial fill, scaling `minReturnAmount` to the spent amount; 4: pull through Permit2
  struct SwapDescription {
    address srcToken;
    address dstToken;
    address srcReceiver;
    address dstReceiver;
    uint256 amount;
    uint256 minReturnAmount;
    uint256 flags;
  }

  /// @notice The tokens and the recipient are in the calldata.
  /// @param spentAmount includes the partner fee, and what a contract took and returned
  /// @param returnAmount increase of the recipient's balance
  event Swapped(address indexed sender, uint256 spentAmount, uint256 returnAmount);

  /// @notice The share of the failed branch is refunded.
  event BranchFailed(uint256 branch);

  error Reentered();
  error WrongExecutor(address executor);
  error WrongSrcReceiver(address srcReceiver);
  error WrongDstReceiver(address dstReceiver);
  error UnknownFlags(uint256 flags);
  error WrongValue(uint256 value, uint256 expected);

  error Expired(uint256 deadline);

  // `hop` counts across branches, from 0.

  /// @notice Not whole words.
  error WrongDataLength(uint256 length);
  error EmptyBranch(uint256 branch);
  error WrongBranchWeight(uint256 branch, uint256 weight, uint256 weightsBefore);
  error RepeatedToken(address token);
  error WrongTarget(uint256 hop, uint256 from, uint256 to, uint256 tokens);
  error WrongOrder(uint256 hop, uint256 from);
  error WrongWeight(uint256 hop, uint256 weight, uint256 weightsBefore);
  /// @notice Or the kind has no such form, or the chain none of its pools.
  error UnknownKind(uint256 hop, uint256 kind);
  /// @notice Only kinds 0, 1, 6 and 7 trade the native token. Redeemed shares must be the sold token.
  error WrongTokens(uint256 hop, address sold, address bought);
  error WrongPoolFee(uint256 hop, uint256 fee);

  error FeeTooHigh(uint256 feePpm, uint256 maximum);
  error NoReferrer(uint256 feePpm);
  error WrongPermitLength(uint256 length);
  /// @notice The permit must be from msg.sender to the router.
  error WrongPermit(address owner, address spender);
  error WrongPermitToken(address token, address srcToken);

  error NothingToSell(uint256 hop, address token);
  error NothingBought(uint256 hop, address token);
  /// @notice A connector token was not fully sold.
  error Unsold(address token, uint256 amount);
  /// @notice A token took more than was sent.
  error IdleTouched(address token, uint256 balance, uint256 idle);
  error ReturnTooLow(uint256 returned, uint256 minimum);
  /// @notice Nothing, or less than `minimum` scaled to `spent`.
  error FillTooLow(uint256 returned, uint256 spent, uint256 amount, uint256 minimum);
  /// @notice The branch may have failed for lack of gas.
  error TooLittleGas(uint256 branch);
  error NotRouter(address caller);
  /// @notice Exceeds int256 (v3), int128 (v4, Balancer v3) or uint160 (Permit2).
  error AmountTooLarge(uint256 amount);
  /// @notice The caller is not the current pool, manager or vault.
  error NotArmed(address caller);
  /// @notice The pool demands nothing or too much.
  error WrongDemand(int256 demanded, uint256 armed);
  /// @notice Only `WETH` and the current pool may send native tokens.
  error NotWrapped(address sender);
  /// @notice `reason` is the revert data of Balancer v2's vault, a Curve pool or a converter.
  error PoolFailed(address pool, bytes reason);
  error TransferFailed(address token, address from, address to, uint256 amount, bytes reason);
  error ApprovalFailed(address token, address spender, uint256 amount, bytes reason);
  error NativeTransferFailed(address to, uint256 amount, bytes reason);

  /// @notice Sells `amount` of msg.sender's `srcToken` along the route and refunds what is unsold.
  /// @param executor must be the router
  /// @param data the route in words (Route.sol)
  function swap(
    address executor,
    SwapDescription calldata desc,
    bytes calldata data
  ) external payable returns (uint256 returnAmount, uint256 spentAmount);

  /// @notice Pays the current v3 pool once, at most what the hop sells.
  function uniswapV3SwapCallback(int256 amount0Delta, int256 amount1Delta, bytes calldata data) external;

  function pancakeV3SwapCallback(int256 amount0Delta, int256 amount1Delta, bytes calldata data) external;

  function algebraSwapCallback(int256 amount0Delta, int256 amount1Delta, bytes calldata data) external;

  /// @notice Swaps in and pays Uniswap's PoolManager or Balancer's vault, once while a hop unlocks it.
  function unlockCallback(bytes calldata data) external returns (bytes memory);

  /// @notice Sells one branch of a partial fill, so that it can fail alone. Router only.
  /// @param source of the sold token: 0 the sender, 1 the sender through Permit2, 2 the router
  /// @param holder receives the bought token
  /// @param before the holder's balance of it, and `held` that after the branch
  /// @param hops a word each (Route.sol)
  /// @param firstHop index of its first hop, for errors
  /// @return taken amount sold, at most `amount`
  function sellBranch(
    uint256 source,
    address holder,
    uint256 before,
    address[] calldata tokens,
    bytes calldata hops,
    uint256 amount,
    uint256 firstHop
  ) external returns (uint256 taken, uint256 held);

  /// @notice The wrapped native token.
  function WETH() external view returns (address);

  function PERMIT2() external view returns (address);

  /// @notice Balancer's vault of version 2. Zero without one, like the next two.
  function VAULT() external view returns (address);

  /// @notice Uniswap v4.
  function POOL_MANAGER() external view returns (address);

  /// @notice Balancer's vault of version 3.
  function VAULT_V3() external view returns (address);
}
