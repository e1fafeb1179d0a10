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

address constant NATIVE = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;

/// @notice Reads, transfers and approves tokens or the native token.
/// @dev Empty return data counts as success, false does not.
library Transfers {
  function balanceOf(address token, address account) internal view returns (uint256) {
    return token == NATIVE ? account.balance : IERC20(token).balanceOf(account);
  }

  function sendFrom(address token, address from, address to, uint256 amount) internal {
    (bool done, bytes memory answer) = token.call(abi.encodeCall(IERC20.transferFrom, (from, to, amount)));
    if (!_succeeded(token, done, answer)) revert ISwapRouter.TransferFailed(token, from, to, amount, answer);
  }

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

  /// @dev Some tokens approve only from zero; `disallow` restores it.
  function allow(address token, address spender, uint256 amount) internal {
    (bool done, bytes memory answer) = token.call(abi.encodeCall(IERC20.approve, (spender, amount)));
    if (!_succeeded(token, done, answer)) revert ISwapRouter.ApprovalFailed(token, spender, amount, answer);
  }

  function disallow(address token, address spender) internal {
    if (IERC20(token).allowance(address(this), spender) > 0) allow(token, spender, 0);
  }

  /// @dev Calls to addresses without code succeed but move nothing.
  function _succeeded(address token, bool done, bytes memory answer) private view returns (bool) {
    if (!done) return false;
    if (answer.length == 0) return token.code.length > 0;
    return answer.length >= 32 && bytes32(answer) == bytes32(uint256(1));
  }
}
