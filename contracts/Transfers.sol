// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ISwapRouter} from './ISwapRouter.sol';

interface IERC20 {
  function balanceOf(address account) external view returns (uint256);
  function allowance(address owner, address spender) external view returns (uint256);
  function approve(address spender, uint256 amount) external returns (bool);
  function transfer(address to, uint256 amount) external returns (bool);
  function transferFrom(address from, address to, uint256 amount) external returns (bool);
}

/// @dev What stands for the native coin where a token is named.
address constant NATIVE = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;

/// @title One way to count, move and allow money, the native coin or a token.
/// @notice Some tokens answer a call with nothing instead of true; both count as success, false and a revert do not.
library Transfers {
  function balanceOf(address token, address account) internal view returns (uint256) {
    return token == NATIVE ? account.balance : IERC20(token).balanceOf(account);
  }

  /// @dev Moves a token of `from`, who must have allowed it, to this contract.
  function pull(address token, address from, uint256 amount) internal {
    (bool done, bytes memory answer) = token.call(
      abi.encodeCall(IERC20.transferFrom, (from, address(this), amount))
    );
    if (!_succeeded(token, done, answer)) {
      revert ISwapRouter.TransferFailed(token, from, address(this), amount, answer);
    }
  }

  /// @dev Moves this contract's own.
  function send(address token, address to, uint256 amount) internal {
    if (token == NATIVE) {
      (bool sent, bytes memory reason) = to.call{value: amount}('');
      if (!sent) revert ISwapRouter.NativeTransferFailed(to, amount, reason);
      return;
    }
    (bool done, bytes memory answer) = token.call(abi.encodeCall(IERC20.transfer, (to, amount)));
    if (!_succeeded(token, done, answer)) {
      revert ISwapRouter.TransferFailed(token, address(this), to, amount, answer);
    }
  }

  /// @dev Lets `spender` take `amount` of this contract's own, a token's. Some tokens want it from zero only, where it is kept.
  function allow(address token, address spender, uint256 amount) internal {
    (bool done, bytes memory answer) = token.call(abi.encodeCall(IERC20.approve, (spender, amount)));
    if (!_succeeded(token, done, answer)) revert ISwapRouter.ApprovalFailed(token, spender, amount, answer);
  }

  /// @dev Takes back what `spender` did not use.
  function disallow(address token, address spender) internal {
    if (IERC20(token).allowance(address(this), spender) > 0) allow(token, spender, 0);
  }

  /// @dev A call to an address without code succeeds with an empty answer; it moved nothing.
  function _succeeded(address token, bool done, bytes memory answer) private view returns (bool) {
    if (!done) return false;
    if (answer.length == 0) return token.code.length > 0;
    return answer.length >= 32 && bytes32(answer) == bytes32(uint256(1));
  }
}
