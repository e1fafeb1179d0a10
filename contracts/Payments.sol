// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ISwapRouter} from './ISwapRouter.sol';
import {IPermit2} from './Permits.sol';
import {Transfers} from './Transfers.sol';

/// @notice The contracts fixed at deployment, the lock, and payments of sold tokens.
abstract contract Payments is ISwapRouter {
  using Transfers for address;

  // Where the sold tokens of a hop are: at msg.sender of `swap`, pulled by an allowance to the router or to
  // Permit2, at the router, or already at the pool.
  uint256 internal constant ALLOWANCE = 0;
  uint256 internal constant ALLOWANCE_TO_PERMIT2 = 1;
  uint256 internal constant ROUTER = 2;
  uint256 internal constant POOL = 3;

  /// @dev Just inside MIN_SQRT_RATIO and MAX_SQRT_RATIO (v3-core TickMath): no limit.
  uint160 internal constant LOWEST_SQRT_PRICE = 4295128740;
  uint160 internal constant HIGHEST_SQRT_PRICE = 1461446703485210103287273052203988822378723970341;

  /// @dev Base units that may stay of a sold token: rebasing tokens round balances, by up to two units a hop.
  uint256 internal constant DUST = 8;

  address public immutable WETH;
  address public immutable PERMIT2;
  address public immutable VAULT;
  address public immutable POOL_MANAGER;
  address public immutable VAULT_V3;

  // Whole words, because Solidity reads smaller types before it writes them.

  /// @dev msg.sender of the running swap, else zero. The lock, and the only account that tokens are pulled
  /// from.
  uint256 internal transient sender;

  /// @dev The pool or manager that may send native tokens.
  uint256 internal transient payer;

  constructor(address weth, address permit2, address vault, address poolManager, address vaultV3) {
    WETH = weth;
    PERMIT2 = permit2;
    VAULT = vault;
    POOL_MANAGER = poolManager;
    VAULT_V3 = vaultV3;
  }

  modifier locked() {
    if (sender != 0) revert Reentered();
    sender = uint160(msg.sender);
    _;
    sender = 0;
  }

  receive() external payable {
    if (msg.sender != WETH && uint160(msg.sender) != payer) revert NotWrapped(msg.sender);
  }

  /// @dev Reverts unless the router's balance is back at `idle`.
  function _requireIdle(address token, uint256 idle) internal view {
    uint256 balance = token.balanceOf(address(this));
    if (balance < idle) revert IdleTouched(token, balance, idle);
    if (balance > idle + DUST) revert Unsold(token, balance - idle);
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
