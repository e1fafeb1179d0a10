// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice A token whose owner can switch a 50 % transfer tax.
contract FlippingToken {
  string public constant symbol = 'FLIP';
  string public constant name = 'Flip';
  uint8 public constant decimals = 18;

  address private immutable owner = msg.sender;
  bool private takes;
  mapping(address holder => uint256) public balanceOf;
  mapping(address holder => mapping(address spender => uint256)) public allowance;

  event Transfer(address indexed from, address indexed to, uint256 amount);

  function mint(address to, uint256 amount) external {
    balanceOf[to] += amount;
  }

  function flip(bool takes_) external {
    require(msg.sender == owner);
    takes = takes_;
  }

  function transfer(address to, uint256 amount) external returns (bool) {
    balanceOf[msg.sender] -= amount;
    balanceOf[to] += takes ? amount / 2 : amount;
    emit Transfer(msg.sender, to, amount);
    return true;
  }
}
