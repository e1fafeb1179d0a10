// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice Like Ethereum's USDT: returns nothing, approves only from zero.
contract UsdtLikeToken {
  event Transfer(address indexed from, address indexed to, uint256 value);
  event Approval(address indexed owner, address indexed spender, uint256 value);

  address public immutable minter = msg.sender;
  uint8 public immutable decimals;
  string public name;
  string public symbol;

  uint256 public totalSupply;
  mapping(address owner => uint256) public balanceOf;
  mapping(address owner => mapping(address spender => uint256)) public allowance;

  constructor(string memory name_, string memory symbol_, uint8 decimals_) {
    name = name_;
    symbol = symbol_;
    decimals = decimals_;
  }

  function mint(address to, uint256 value) external {
    require(msg.sender == minter);
    totalSupply += value;
    balanceOf[to] += value;
    emit Transfer(address(0), to, value);
  }

  function transfer(address to, uint256 value) external {
    _move(msg.sender, to, value);
  }

  /// @notice Reverts without a reason, like USDT.
  function approve(address spender, uint256 value) external {
    require(value == 0 || allowance[msg.sender][spender] == 0);
    allowance[msg.sender][spender] = value;
    emit Approval(msg.sender, spender, value);
  }

  function transferFrom(address from, address to, uint256 value) external {
    uint256 allowed = allowance[from][msg.sender];
    require(allowed >= value);
    if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - value;
    _move(from, to, value);
  }

  function _move(address from, address to, uint256 value) private {
    require(balanceOf[from] >= value);
    balanceOf[from] -= value;
    balanceOf[to] += value;
    emit Transfer(from, to, value);
  }
}
