// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Puppet} from './ScriptedContract.sol';

/// @notice Acts during transfers and may burn a surcharge.
contract PuppetToken is Puppet {
  mapping(address owner => uint256) public balanceOf;
  mapping(address owner => mapping(address spender => uint256)) public allowance;

  /// @notice Burned on top by `transfer`.
  uint256 public surcharge;
  /// @notice Calls that only act and return false.
  mapping(bytes4 selector => bool) public refuses;

  function setSurcharge(uint256 surcharge_) external {
    surcharge = surcharge_;
  }

  function setRefuses(bytes4 selector, bool refuses_) external {
    refuses[selector] = refuses_;
  }

  function mint(address to, uint256 value) external {
    balanceOf[to] += value;
  }

  function approve(address spender, uint256 value) external returns (bool) {
    act();
    if (refuses[msg.sig]) return false;
    allowance[msg.sender][spender] = value;
    return true;
  }

  function transfer(address to, uint256 value) external returns (bool) {
    act();
    if (refuses[msg.sig]) return false;
    balanceOf[msg.sender] -= value + surcharge;
    balanceOf[to] += value;
    return true;
  }

  function transferFrom(address from, address to, uint256 value) external returns (bool) {
    act();
    if (refuses[msg.sig]) return false;
    allowance[from][msg.sender] -= value;
    balanceOf[from] -= value;
    balanceOf[to] += value;
    return true;
  }
}
