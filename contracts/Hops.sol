// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ISwapRouter} from './ISwapRouter.sol';
import {IPermit2} from './Permits.sol';
import {ISolidlyPool, IV2Pool, IV3Pool, IVault, IWrapped} from './Pools.sol';
import {Hop} from './Route.sol';
import {NATIVE, Transfers} from './Transfers.sol';

/// @notice Trades single hops and pays their pools.
/// @dev All functions that the router calls on pools and on the vault are here.
abstract contract Hops is ISwapRouter {
  using Transfers for address;

  uint256 internal constant MILLION = 1_000_000;

  uint256 internal constant WRAP = 0;
  uint256 internal constant UNWRAP = 1;
  uint256 internal constant V2 = 2;
  uint256 internal constant V3 = 3;
  uint256 internal constant BALANCER = 4;
  uint256 internal constant SOLIDLY = 5;

  // Where the sold tokens of a hop are: at msg.sender of `swap`, pulled by an allowance to the router or to
  // Permit2, at the router, or already at the pool.
  uint256 internal constant ALLOWANCE = 0;
  uint256 internal constant ALLOWANCE_TO_PERMIT2 = 1;
  uint256 internal constant ROUTER = 2;
  uint256 internal constant POOL = 3;

  /// @dev Just inside MIN_SQRT_RATIO and MAX_SQRT_RATIO (v3-core TickMath): no limit.
  uint160 private constant LOWEST_SQRT_PRICE = 4295128740;
  uint160 private constant HIGHEST_SQRT_PRICE = 1461446703485210103287273052203988822378723970341;

  address public immutable WETH;
  address public immutable PERMIT2;
  address public immutable VAULT;

  // Whole words, because Solidity reads smaller types before it writes them.

  /// @dev msg.sender of the running swap, else zero. The lock, and the only account that tokens are pulled
  /// from.
  uint256 private transient sender;

  /// @dev The v3 pool that may call back, and what it may take: the token, above its 160 bits where it is,
  /// and the maximum.
  uint256 private transient armedPool;
  uint256 private transient armedToken;
  uint256 private transient armedAmount;

  constructor(address weth, address permit2, address vault) {
    WETH = weth;
    PERMIT2 = permit2;
    VAULT = vault;
  }

  modifier locked() {
    if (sender != 0) revert Reentered();
    sender = uint160(msg.sender);
    _;
    sender = 0;
  }

  receive() external payable {
    if (msg.sender != WETH) revert NotWrapped(msg.sender);
  }

  /// @param amount ignored if the pool has it
  /// @param to receives the bought tokens; native tokens stay at the router
  /// @return taken at most `amount`: pools may leave some
  function _trade(
    uint256 index,
    Hop hop,
    address sold,
    address bought,
    uint256 amount,
    uint256 funds,
    address to
  ) internal returns (uint256 taken) {
    uint256 kind = hop.kind();
    if (kind == WRAP || kind == UNWRAP) {
      bool fits = kind == WRAP ? sold == NATIVE && bought == WETH : sold == WETH && bought == NATIVE;
      if (!fits) revert WrongTokens(index, sold, bought);
      if (kind == WRAP) _wrap(amount, to);
      else _unwrap(amount, funds);
      return amount;
    }
    if (kind > SOLIDLY) revert UnknownKind(index, kind);
    if (sold == NATIVE || bought == NATIVE) revert WrongTokens(index, sold, bought);
    if (kind == V3) return _swapV3(hop.pool(), sold, sold < bought, amount, funds, to);
    if (kind == V2) _swapV2(index, hop, sold, sold < bought, amount, funds, to);
    else if (kind == SOLIDLY) _swapSolidly(index, hop.pool(), sold, sold < bought, amount, funds, to);
    else return _swapBalancer(index, hop, sold, bought, amount, funds, to);
    return amount;
  }

  function _wrap(uint256 amount, address to) private {
    IWrapped(WETH).deposit{value: amount}();
    if (to != address(this)) WETH.send(to, amount);
  }

  function _unwrap(uint256 amount, uint256 funds) private {
    if (funds != ROUTER) _transfer(WETH, funds, address(this), amount);
    IWrapped(WETH).withdraw(amount);
  }

  /// @dev The pool counts its balance above the reserve as input.
  function _swapV2(
    uint256 index,
    Hop hop,
    address sold,
    bool zeroForOne,
    uint256 amount,
    uint256 funds,
    address to
  ) private {
    (address pool, uint256 fee) = (hop.pool(), hop.fee());
    if (fee >= MILLION) revert WrongPoolFee(index, fee);
    if (funds != POOL) _transfer(sold, funds, pool, amount);

    (uint256 reserveIn, uint256 reserveOut, ) = IV2Pool(pool).getReserves();
    if (!zeroForOne) (reserveIn, reserveOut) = (reserveOut, reserveIn);
    uint256 input = (sold.balanceOf(pool) - reserveIn) * (MILLION - fee);
    if (input == 0) revert NothingToSell(index, sold);
    uint256 output = (input * reserveOut) / (reserveIn * MILLION + input);

    (uint256 amount0Out, uint256 amount1Out) = zeroForOne ? (uint256(0), output) : (output, uint256(0));
    IV2Pool(pool).swap(amount0Out, amount1Out, to, '');
  }

  /// @dev Like v2, but the pool computes the output: its fee changes, and stable pools use Newton's method.
  function _swapSolidly(
    uint256 index,
    address pool,
    address sold,
    bool zeroForOne,
    uint256 amount,
    uint256 funds,
    address to
  ) private {
    if (funds != POOL) _transfer(sold, funds, pool, amount);

    (uint256 reserve0, uint256 reserve1, ) = ISolidlyPool(pool).getReserves();
    uint256 input = sold.balanceOf(pool) - (zeroForOne ? reserve0 : reserve1);
    if (input == 0) revert NothingToSell(index, sold);
    uint256 output = ISolidlyPool(pool).getAmountOut(input, sold);

    (uint256 amount0Out, uint256 amount1Out) = zeroForOne ? (uint256(0), output) : (output, uint256(0));
    ISolidlyPool(pool).swap(amount0Out, amount1Out, to, '');
  }

  function _swapV3(
    address pool,
    address sold,
    bool zeroForOne,
    uint256 amount,
    uint256 funds,
    address to
  ) private returns (uint256 taken) {
    if (amount > uint256(type(int256).max)) revert AmountTooLarge(amount);
    armedPool = uint160(pool);
    armedToken = (funds << 160) | uint160(sold);
    armedAmount = amount;
    uint160 limit = zeroForOne ? LOWEST_SQRT_PRICE : HIGHEST_SQRT_PRICE;
    IV3Pool(pool).swap(to, zeroForOne, int256(amount), limit, '');
    unchecked {
      taken = amount - armedAmount; // payments only lower it
    }
    if (taken == 0) armedPool = 0; // else the payment disarmed it
  }

  function uniswapV3SwapCallback(int256 amount0Delta, int256 amount1Delta, bytes calldata) external {
    _payArmedPool(amount0Delta > 0 ? amount0Delta : amount1Delta);
  }

  function pancakeV3SwapCallback(int256 amount0Delta, int256 amount1Delta, bytes calldata) external {
    _payArmedPool(amount0Delta > 0 ? amount0Delta : amount1Delta);
  }

  /// @dev The only payment on demand: pool, token, maximum and payer are fixed beforehand. Disarms first, to
  /// pay only once, and leaves the rest in `armedAmount`.
  function _payArmedPool(int256 demanded) private {
    if (uint160(msg.sender) != armedPool) revert NotArmed(msg.sender);
    armedPool = 0;
    uint256 armed = armedAmount;
    if (demanded <= 0 || uint256(demanded) > armed) revert WrongDemand(demanded, armed);
    unchecked {
      armedAmount = armed - uint256(demanded);
    }
    uint256 token = armedToken;
    _transfer(address(uint160(token)), token >> 160, msg.sender, uint256(demanded));
  }

  /// @dev The vault takes tokens from the router only. It gets an allowance of what arrived, then zero. The
  /// sender gets back what the vault leaves.
  function _swapBalancer(
    uint256 index,
    Hop hop,
    address sold,
    address bought,
    uint256 amount,
    uint256 funds,
    address to
  ) private returns (uint256 taken) {
    if (VAULT == address(0)) revert UnknownKind(index, BALANCER);
    if (funds == ROUTER) {
      _swapInVault(hop.poolId(), sold, bought, amount, to);
      return amount;
    }
    uint256 idle = sold.balanceOf(address(this));
    _transfer(sold, funds, address(this), amount);
    _swapInVault(hop.poolId(), sold, bought, sold.balanceOf(address(this)) - idle, to);
    uint256 left = sold.balanceOf(address(this));
    taken = amount;
    if (left > idle) {
      taken -= left - idle;
      sold.send(address(uint160(sender)), left - idle);
    }
    _requireIdle(sold, idle);
  }

  function _swapInVault(bytes32 poolId, address sold, address bought, uint256 amount, address to) private {
    sold.allow(VAULT, amount);
    IVault(VAULT).swap(
      IVault.SingleSwap(poolId, IVault.SwapKind.GIVEN_IN, sold, bought, amount, ''),
      IVault.FundManagement(address(this), false, payable(to), false),
      0,
      block.timestamp
    );
    sold.disallow(VAULT);
  }

  /// @dev Reverts unless the router's balance is back at `idle`.
  function _requireIdle(address token, uint256 idle) internal view {
    uint256 balance = token.balanceOf(address(this));
    if (balance < idle) revert IdleTouched(token, balance, idle);
    if (balance > idle) revert Unsold(token, balance - idle);
  }

  /// @dev The only transfer of tokens that are not the router's: from the running swap's msg.sender.
  function _transfer(address token, uint256 funds, address to, uint256 amount) internal {
    if (funds == ROUTER) {
      token.send(to, amount);
    } else if (funds == ALLOWANCE) {
      token.sendFrom(address(uint160(sender)), to, amount);
    } else {
      if (amount > type(uint160).max) revert AmountTooLarge(amount);
      IPermit2(PERMIT2).transferFrom(address(uint160(sender)), to, uint160(amount), token);
    }
  }
}
