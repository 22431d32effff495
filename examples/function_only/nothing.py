def smallest_gap(numbers):
    return 0
