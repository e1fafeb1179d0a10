// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface IToken {
  function transfer(address to, uint256 value) external returns (bool);
}

/// @title A shop whose owner exchanges what it does between the preview and the signature.
/// It is a collection of unique items and of copies as well.
contract Bazaar {
  mapping(uint256 id => address) public ownerOf;
  mapping(address owner => mapping(uint256 id => uint256)) public balanceOf;
  mapping(address owner => mapping(address operator => bool)) public isAuthorized;
  /// @dev The id on offer; zero draws it at random.
  uint256 public offered = 1;
  bool public pays = true;
  /// @dev What `buy` leaves for `claim` to pay.
  bool public isLate;
  uint256 private owed;

  event Transfer(address indexed from, address indexed to, uint256 indexed id);
  event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value);

  receive() external payable {}

  function offer(uint256 id) external {
    offered = id;
  }

  function flip(bool pays_) external {
    pays = pays_;
  }

  function postpone() external {
    isLate = true;
  }

  function buyItems(uint256 count) external payable {
    for (uint256 index = 0; index < count; index++) {
      uint256 id = offered == 0 ? uint256(keccak256(abi.encode(block.prevrandao, index))) % 1e12 : offered + index;
      ownerOf[id] = msg.sender;
      emit Transfer(address(0), msg.sender, id);
    }
  }

  function buyCopies(uint256 count) external payable {
    balanceOf[msg.sender][offered] += count;
    emit TransferSingle(msg.sender, address(0), msg.sender, offered, count);
  }

  function deposit() external payable {}

  /// @notice Pays what an earlier `deposit` was for.
  function claim(address token, uint256 amount) external {
    if (pays) IToken(token).transfer(msg.sender, amount + owed);
    owed = 0;
  }

  /// @notice Pays at once, or lets `claim` do it.
  function buy(address token, uint256 amount) external payable {
    if (isLate) owed += amount;
    else IToken(token).transfer(msg.sender, amount);
  }

  function refund() external payable {
    require(!pays, 'Sold out');
  }

  function setAuthorization(address authorized, bool isAuthorized_) external {
    isAuthorized[msg.sender][authorized] = isAuthorized_;
  }
}
